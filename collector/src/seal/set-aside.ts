import { hash } from "node:crypto";
import { WireWriter } from "@reenact/envelope";
import type { SealJob } from "../assemble/seal-job.ts";
import type { Journal, RecordReference } from "../journal/journal.ts";
import type { Log } from "../log.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";
import { retrying } from "./retrying.ts";

/** Below it lie the spans of runs that could not be sealed, each an OTLP TracesData message. */
export const UNSEALED_PREFIX = "v1/unsealed/";

export interface SetAsideRun {
  readonly run: string;
  /** of the object in the store */
  readonly key: string;
  readonly bytes: number;
  /** when it was set aside, milliseconds since the epoch, by the store's clock */
  readonly at: number;
}

/** Runs of a tenant that could not be sealed, one entry for each time. */
export async function setAsideRuns(store: Pick<ObjectStore, "list">, tenant: string): Promise<SetAsideRun[]> {
  const found: SetAsideRun[] = [];
  for await (const { key, size, modified } of store.list(`${UNSEALED_PREFIX}${tenant}/`))
    found.push({ run: key.split("/").at(-2) ?? "", key, bytes: size, at: modified });
  return found;
}

/** Brings the raw spans of a run to the store, so that the journal can go on without it. Tries for ever. */
export function createSetAside(deps: {
  store: ObjectStore;
  journal: Pick<Journal, "bytes">;
  signal: AbortSignal;
  log: Log;
}) {
  const { store, journal, signal, log } = deps;
  return async (job: SealJob, error: unknown): Promise<void> => {
    const { groups, group, offset, length } = await job.columns();
    const bytes = ({ block, record }: RecordReference, offset: number, length: number) =>
      length === 0 ? Promise.resolve(new Uint8Array()) : journal.bytes({ block, record, offset, length });
    const data = new WireWriter();
    for (const [number, each] of groups.entries()) {
      const scope = new WireWriter().bytes(1, await bytes(each, each.scope, each.scopeLength));
      for (const [n, of] of group.entries()) {
        if (of === number) scope.bytes(2, await bytes(each, offset[n]!, length[n]!));
      }
      const resource = new WireWriter().bytes(1, await bytes(each, each.resource, each.resourceLength));
      data.message(1, resource.message(2, scope.string(3, each.scopeUrl)).string(3, each.resourceUrl));
    }
    const body = data.finish();
    const key = `${UNSEALED_PREFIX}${job.tenant}/${job.run}/${hash("sha256", body)}`;
    await retrying(() => store.putIfAbsent(key, body), {
      event: "seal.not-set-aside",
      log,
      signal,
      giveUp: (error) => error instanceof StoreError && error.code === "TAKEN",
    });
    log("error", "seal.set-aside", { tenant: job.tenant, run: job.run, key, bytes: body.length, error });
  };
}
