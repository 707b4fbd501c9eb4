import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ApiFailure } from "./api/api-failure.ts";
import { signInByLink } from "./failure/login-link.ts";
import { router } from "./router.tsx";

const client = new QueryClient({
  defaultOptions: {
    // a collector on this machine answers without a network, too
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      // what the collector refused it refuses again
      retry: (times, error) => times < 2 && error instanceof ApiFailure && error.code === "UNREACHABLE",
      retryDelay: 500,
      refetchOnWindowFocus: false,
    },
  },
});

const show = (): void =>
  createRoot(document.querySelector("#app")!).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );

// a page that is shown before would ask for a key
void signInByLink().finally(show);
