import { parentPort, workerData } from "node:worker_threads";
import { CatalogError, type CatalogErrorCode } from "../catalog-error.ts";
import type { ChangeOutcome } from "../change-outcome.ts";
import type { CatalogChange } from "../catalog.ts";
import { type CatalogStore, openStore } from "./sqlite-store.ts";

/** The calls that the thread answers; changes are JSON text. */
export type CatalogCalls = Omit<CatalogStore, "apply"> & { apply(changes: string): readonly ChangeOutcome[] };

/** A call to the catalog's thread. `open` opens the file. */
export interface Ask {
  readonly id: number;
  readonly method: keyof CatalogCalls;
  readonly args: readonly unknown[];
}
export type Answer = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly error: { readonly code: string | null; readonly message: string } }
);

/** SQLite's results for a value that it does not take: too long, against a constraint, of another type, out of range. */
const REFUSED = [18, 19, 20, 25];

function codeOf(error: unknown): CatalogErrorCode | null {
  if (error instanceof CatalogError) return error.code;
  const errcode = error instanceof Error && "errcode" in error ? error.errcode : undefined;
  const isRefused = typeof errcode === "number" ? REFUSED.includes(errcode & 0xff) : error instanceof TypeError;
  return isRefused ? "REFUSED" : null;
}

const port = parentPort!;
const failure = (id: number, error: unknown): Answer => ({
  id,
  error: {
    code: codeOf(error),
    message: error instanceof Error ? error.message : String(error),
  },
});

function serve(): void {
  let store: CatalogStore;
  try {
    store = openStore((workerData as { file: string }).file);
  } catch (error) {
    port.postMessage([failure(0, error)]);
    port.close();
    return;
  }
  const calls: CatalogCalls = {
    ...store,
    apply: (changes) => store.apply(JSON.parse(changes) as readonly CatalogChange[]),
  };
  const answer = ({ id, method, args }: Ask): Answer => {
    try {
      const call = calls[method] as (...args: readonly unknown[]) => unknown;
      return { id, result: call(...args) };
    } catch (error) {
      return failure(id, error);
    }
  };
  port.postMessage([{ id: 0, result: null }] satisfies Answer[]);
  port.on("message", (asked: readonly Ask[]) => {
    port.postMessage(asked.map(answer));
    if (asked.some(({ method }) => method === "close")) port.close();
  });
}

serve();
