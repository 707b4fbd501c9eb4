import { Worker } from "node:worker_threads";
import { createBatchWriter } from "../batch-writer.ts";
import { CatalogError, type CatalogErrorCode } from "../catalog-error.ts";
import { assertApplied, type ChangeOutcome } from "../change-outcome.ts";
import type { Catalog, CatalogChange } from "../catalog.ts";
import type { Answer, Ask, CatalogCalls } from "./sqlite-thread.ts";

interface Waiting {
  resolve(value: never): void;
  reject(error: Error): void;
}

/**
 * The catalog in one SQLite file. All of SQLite runs on a thread of its own: a sync to disk never holds up receiving.
 * Changes that come while one is being written become one transaction.
 */
export async function openSqliteCatalog(options: { file: string }): Promise<Catalog> {
  const script = import.meta.url.endsWith(".ts") ? "./sqlite-thread.ts" : "./catalog-thread.js";
  const thread = new Worker(new URL(script, import.meta.url), { workerData: { file: options.file } });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  let ended: Error | null = null;

  thread.on("message", (answers: readonly Answer[]) => {
    for (const answer of answers) {
      const waiter = waiting.get(answer.id);
      waiting.delete(answer.id);
      if ("result" in answer) waiter?.resolve(answer.result as never);
      else waiter?.reject(errorOf(answer.error));
    }
  });
  const end = (why: Error) => {
    ended ??= why;
    for (const waiter of waiting.values()) waiter.reject(ended);
    waiting.clear();
  };
  thread.on("error", (error) => end(error instanceof Error ? error : new Error(String(error))));
  thread.on("exit", () => end(new CatalogError("UNUSABLE", "the catalog is closed")));

  const answered = <T>(id: number) =>
    new Promise<T>((resolve, reject) => {
      if (ended) reject(ended);
      else waiting.set(id, { resolve: resolve, reject });
    });
  // A message costs more than most questions: what is asked in one turn goes in one.
  let asked: Ask[] = [];
  const send = () => {
    const all = asked;
    asked = [];
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    if (!ended) thread.postMessage(all);
  };
  const ask = <M extends keyof CatalogCalls>(method: M, ...args: Parameters<CatalogCalls[M]>) => {
    const id = ++lastId;
    const answer = answered<ReturnType<CatalogCalls[M]>>(id);
    if (asked.push({ id, method, args }) === 1) setImmediate(send);
    return answer;
  };

  // as text: a clone of many rows costs several times as much
  const changes = createBatchWriter<CatalogChange, ChangeOutcome>((batch) => ask("apply", JSON.stringify(batch)));

  await answered(0);
  return {
    async apply(change) {
      const [outcome] = await changes.add([change]);
      assertApplied(outcome, change);
    },
    find: (query, page) => ask("find", query, page),
    facets: (query, fields, limit) => ask("facets", query, fields, limit),
    sums: (query, field, limit) => ask("sums", query, field, limit),
    series: (query, over) => ask("series", query, over),
    get: (tenant, run) => ask("get", tenant, run),
    cursor: (name) => ask("cursor", name),
    lease: (name, owner, forMs) => ask("lease", name, owner, forMs),
    fence: (name) => ask("fence", name),
    async close() {
      await changes.idle();
      if (ended) return;
      await ask("close");
      await thread.terminate();
    },
  };
}

const CODES: readonly string[] = [
  "BAD_CURSOR",
  "BAD_FILTER",
  "NEWER_CATALOG",
  "UNUSABLE",
  "DAMAGED",
  "REFUSED",
] satisfies CatalogErrorCode[];

function errorOf({ code, message }: { code: string | null; message: string }): Error {
  return code !== null && CODES.includes(code)
    ? new CatalogError(code as CatalogErrorCode, message)
    : new Error(`catalog: ${message}`);
}
