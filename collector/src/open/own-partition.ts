import { z } from "zod";
import type { Assembler } from "../assemble/assembler-port.ts";
import type { Catalog, Fence } from "../catalog/catalog.ts";
import { CatalogError } from "../catalog/catalog-error.ts";
import { decodeCheckpoint, encodeCheckpoint } from "../journal/drivers/kafka/checkpoint.ts";
import type { KafkaJournal } from "../journal/drivers/kafka/kafka.ts";
import { offsetOf } from "../journal/drivers/kafka/offset-position.ts";
import type { FetchedEntry, PartitionJournal } from "../journal/drivers/kafka/partition-journal.ts";
import { type Journal, JOURNAL_START } from "../journal/journal.ts";
import { JournalError } from "../journal/journal-error.ts";
import type { Log } from "../log.ts";
import { retrying } from "../seal/retrying.ts";
import type { ObjectStore } from "../store/object-store.ts";
import { StoreError } from "../store/store-error.ts";

export const CHECKPOINTS_PREFIX = "v1/checkpoints/";
/** What is open is kept in the journal only, if it has more bytes. */
const MOST_BYTES = 256 * 1024 ** 2;

export interface PartitionDeps {
  readonly kafka: KafkaJournal;
  /** of the topic and the group, for names of cursors and objects: 32 hex digits */
  readonly id: string;
  readonly catalog: Pick<Catalog, "apply" | "cursor" | "fence">;
  readonly store: ObjectStore;
  readonly assemble: (share: {
    readonly journal: Omit<Journal, "append" | "release">;
    readonly name: string;
    readonly fence: Fence;
  }) => Assembler;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** A partition that this process assembles. */
export interface OwnedPartition {
  readonly partition: number;
  readonly assembler: Assembler;
  /** False: another process has taken it, or reading it has failed here: it must be taken anew. */
  isOwned(): Promise<boolean>;
  /** Frees what is no longer needed here. */
  release(): void;
  /** Writes what is open to the store if the journal has waited for it since the last time, or `now`. */
  keep(now?: boolean): Promise<void>;
  /** the offset from which an owner after this one reads, as of the last `keep` */
  needed(): number;
  /** Reads nothing more, and waits until what is being sealed is sealed or refused. */
  drop(): Promise<void>;
}

const pointer = z.strictObject({ key: z.string(), next: z.number().int().nonnegative() });
type Pointer = z.infer<typeof pointer>;

/** Takes a partition over from its owner, if it has one, and reads on where that owner stopped. Rejects once the signal aborts. */
export async function ownPartition(partition: number, deps: PartitionDeps): Promise<OwnedPartition> {
  const { kafka, id, catalog, store, log, signal } = deps;
  const name = `journal:${id}:${partition}`;
  const pointed = pointerName(id, partition);
  // from here on the former owner can commit nothing: what is read now is how far it came
  const fence: Fence = { name, epoch: await catalog.fence(name) };
  const cursor = await catalog.cursor(name);
  const committed = offsetOf(cursor ?? "") ?? 0;
  const retryStore = {
    event: "journal.checkpoint-waits",
    log,
    signal,
    giveUp: (error: unknown) => error instanceof StoreError && error.code === "NO_OBJECT",
  };
  let checkpoint = checkpointOf(await catalog.cursor(pointed));
  // a catalog that was made again has no cursors; what is sealed again is not kept twice
  if (cursor === null && checkpoint === null) checkpoint = await retrying(newest, retryStore);
  const kept = checkpoint !== null && checkpoint.next > committed ? await load(checkpoint, committed) : [];
  // without it all of that is read from the brokers again, as far as they still have it
  if (kept === null) checkpoint = null;
  const before = kept ?? [];
  const from = Math.max(committed, checkpoint?.next ?? 0);
  const retry = { event: "journal.partition-waits", log, signal, giveUp: () => false };
  const journal: PartitionJournal = await retrying(() => kafka.open(partition, from, before), retry);
  const assembler = deps.assemble({ journal, name, fence });
  log("info", "assemble.partition", { partition, epoch: fence.epoch, from, open: before.length });
  const running = assembler.run(JOURNAL_START);
  let hasStopped = false;
  running.catch((error: unknown) => {
    hasStopped = true;
    log("error", "assemble.stopped", { partition, error });
  });
  /** how far it had read when it was looked at last */
  let looked = from;

  /** The checkpoint that has come farthest; null: there is none. */
  async function newest(): Promise<Pointer | null> {
    let found: Pointer | null = null;
    for await (const { key } of store.list(`${CHECKPOINTS_PREFIX}${id}/${partition}/`)) {
      const next = Number(/\/([0-9]{16})-[0-9]+$/.exec(key)?.[1] ?? -1);
      if (next >= (found?.next ?? 0)) found = { key, next };
    }
    return found;
  }

  /** null: it is not there any more, or cannot be read. */
  async function load({ key, next }: Pointer, since: number): Promise<FetchedEntry[] | null> {
    try {
      const bytes = await retrying(() => readWhole(store, key), retryStore);
      return (await decodeCheckpoint(bytes, key)).filter(({ offset }) => offset >= since);
    } catch (error) {
      const isLost = error instanceof StoreError ? error.code === "NO_OBJECT" : error instanceof JournalError;
      if (!isLost) throw error;
      log("error", "journal.checkpoint-lost", { partition, key, from: since, to: next, error });
      return null;
    }
  }

  const needed = (): number => Math.max(offsetOf(assembler.share.cursor()) ?? 0, checkpoint?.next ?? 0);

  /** What is open, as one object, in the place of the one before. */
  async function write(): Promise<void> {
    // one moment of both: every span before `next` is sealed and committed, or in one of these records
    const next = offsetOf(assembler.handled()) ?? 0;
    const { records, marks } = assembler.held();
    const found = journal.entriesAt(records, marks, next);
    journal.keepOnly(records, marks, next);
    const entries = await found;
    const bytes = entries.reduce((sum, { body }) => sum + body.length, 0);
    if (bytes > MOST_BYTES) return log("warn", "journal.too-much-open", { partition, bytes, most: MOST_BYTES });
    const key = `${CHECKPOINTS_PREFIX}${id}/${partition}/${String(next).padStart(16, "0")}-${fence.epoch}`;
    await store.put(key, await encodeCheckpoint(entries));
    await catalog.apply({ fence, cursors: { [pointed]: JSON.stringify({ key, next } satisfies Pointer) } });
    const old = checkpoint;
    checkpoint = { key, next };
    if (old !== null && old.key !== key) await store.delete(old.key);
    log("debug", "journal.checkpoint", { partition, next, entries: entries.length, bytes });
  }

  return {
    partition,
    assembler,
    needed,
    release: () => journal.release(assembler.share.cursor()),
    async isOwned() {
      if (hasStopped) return false;
      try {
        await catalog.apply({ fence });
        return true;
      } catch (error) {
        if (error instanceof CatalogError && error.code === "FENCED") return false;
        throw error;
      }
    },
    async keep(now = false) {
      const waits = needed() < looked;
      const handled = offsetOf(assembler.handled()) ?? 0;
      looked = handled;
      if (waits || (now && needed() < handled)) await write();
    },
    async drop() {
      await assembler.stop();
      await assembler.idle();
      await journal.close();
    },
  };
}

/** Name of the cursor that tells of the checkpoint of a partition. */
export const pointerName = (id: string, partition: number | string): string => `checkpoint:${id}:${partition}`;

/** The checkpoint that the cursor tells of. */
export function checkpointOf(text: string | null): Pointer | null {
  return text === null ? null : pointer.parse(JSON.parse(text));
}

async function readWhole(store: ObjectStore, key: string): Promise<Uint8Array> {
  const head = await store.head(key);
  if (head === null) throw new StoreError("NO_OBJECT", key, "the catalog names it, and it is not there");
  return store.getRange(key, 0, head.size);
}
