import { decodeResource } from "@reenact/envelope";
import { type Envelope } from "@reenact/envelope/file";
import {
  type PackEntry,
  packFooterLength,
  type PackIndex,
  parsePackKey,
  readPackedEnvelope,
  readPackIndex,
  RUNS_PREFIX,
} from "@reenact/envelope/pack";
import { indexRun } from "../catalog/index-run.ts";
import type { ReadStore } from "../store/object-store.ts";
import type { SealedRun } from "./sealed-run.ts";

const TAIL = 64 * 1024;

/** The index of a pack: one read for most, two for large ones. Throws `StoreError` and `EnvelopeError`. */
export async function readPackIndexFrom(store: ReadStore, key: string): Promise<PackIndex> {
  let tail = await store.getRange(key, -TAIL, TAIL);
  const length = packFooterLength(tail);
  if (length > tail.length && tail.length === TAIL) tail = await store.getRange(key, -length, length);
  return readPackIndex(tail);
}

/** Every pack in the store, in order of keys, behind `after`; other objects below the same prefix are passed over. */
export async function* packKeys(store: ReadStore, below = RUNS_PREFIX, after?: string): AsyncGenerator<string> {
  for await (const { key } of store.list(below, after)) if (parsePackKey(key) !== null) yield key;
}

/** The runs of one pack, each read and checked: what the catalog knew of them, made again. */
export async function* sealedRunsOf(store: ReadStore, key: string): AsyncGenerator<SealedRun> {
  const index = await readPackIndexFrom(store, key);
  for (const entry of index.runs)
    yield sealedRunOf({ ...index, key }, entry, await store.getRange(key, entry.offset, entry.length));
}

/** One run of a pack, from exactly the bytes of its envelope. Throws `EnvelopeError`. */
export function sealedRunOf(
  pack: Pick<PackIndex, "tenant" | "class"> & { readonly key: string },
  entry: PackEntry,
  bytes: Uint8Array,
): SealedRun {
  const { offset, length, revision, content, receipt, flags } = entry;
  const envelope = readPackedEnvelope(bytes, entry);
  return {
    tenant: pack.tenant,
    header: envelope.header,
    manifest: { ...envelope.manifest, flags, spans: [] },
    class: pack.class,
    rule: (receipt.rule ?? envelope.manifest.rule) || null,
    receipt,
    index: indexOf(envelope),
    part: { revision, content, key: pack.key, offset, length },
  };
}

function indexOf({ spans }: Envelope): SealedRun["index"] {
  const resource = spans[0] ? decodeResource(spans[0].scanned.resource) : {};
  return indexRun(
    spans.map(({ span }) => span),
    resource,
  );
}
