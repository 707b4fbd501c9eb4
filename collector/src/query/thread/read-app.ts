import { Hono } from "hono";
import type { Caller, ReadDeps } from "../api-deps.ts";
import { ApiError } from "../api-error.ts";
import { refusal } from "../ask.ts";
import { readHandlers } from "../read-handlers.ts";
import type { ReadName } from "../read-routes.ts";
import { API, ROUTES } from "../routes.ts";

export interface ReadApp {
  fetch(request: Request, who: Caller): Promise<Response> | Response;
}

/** The reading routes of the API, for requests that the receiving thread has admitted. */
export function createReadApp(deps: ReadDeps): ReadApp {
  const app = new Hono<{ Variables: Caller; Bindings: Caller }>().basePath(API);
  for (const [name, handler] of Object.entries(readHandlers(deps))) {
    app.get(ROUTES[name as ReadName].path, (ask) => {
      for (const [key, value] of Object.entries(ask.env)) ask.set(key as keyof Caller, value as never);
      ask.header("cache-control", "no-store");
      return handler(ask as never);
    });
  }
  app.notFound((ask) => refusal(ask, new ApiError("NO_ROUTE", `there is no ${ask.req.method} ${ask.req.path}`)));
  app.onError((error, ask) => {
    const refused = ApiError.from(error);
    if (refused.status >= 500) deps.log("error", "api.failed", { path: ask.req.path, code: refused.code, error });
    return refusal(ask, refused);
  });
  return { fetch: (request, who) => app.fetch(request, who) };
}
