import { parentPort, workerData } from "node:worker_threads";
import { CatalogError } from "../catalog-error.ts";
import { type CatalogStore, openStore } from "./sqlite-store.ts";

/** What the catalog's thread is asked, and answers; `open` stands for the file itself. */
export interface Ask {
  readonly id: number;
  readonly method: keyof CatalogStore;
  readonly args: readonly unknown[];
}
export type Answer = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly error: { readonly code: string | null; readonly message: string } }
);

const port = parentPort!;
const failure = (id: number, error: unknown): Answer => ({
  id,
  error: {
    code: error instanceof CatalogError ? error.code : null,
    message: error instanceof Error ? error.message : String(error),
  },
});

function serve(): void {
  let store: CatalogStore;
  try {
    store = openStore((workerData as { file: string }).file);
  } catch (error) {
    port.postMessage(failure(0, error));
    port.close();
    return;
  }
  port.postMessage({ id: 0, result: null } satisfies Answer);
  port.on("message", ({ id, method, args }: Ask) => {
    try {
      const call = store[method] as (...args: readonly unknown[]) => unknown;
      port.postMessage({ id, result: call(...args) } satisfies Answer);
    } catch (error) {
      port.postMessage(failure(id, error));
    }
    if (method === "close") port.close();
  });
}

serve();
