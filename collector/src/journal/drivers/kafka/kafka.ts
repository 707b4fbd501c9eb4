import { hash } from "node:crypto";
import type { Log } from "../../../log.ts";
import type { ObjectStore } from "../../../store/object-store.ts";
import { JournalError } from "../../journal-error.ts";
import type { SharedJournal } from "../../journal.ts";
import { type FetchLoop, type FetchLoopDeps, startFetchLoop } from "./fetch-loop.ts";
import type { KafkaAddress } from "./kafka-address.ts";
import { journalError } from "./kafka-client.ts";
import { assertSafeTopic, findTopic, type KafkaTopic } from "./kafka-topic.ts";
import { createKafkaWriter, type KafkaWriter } from "./kafka-writer.ts";
import { createPartitionJournal, type FetchedEntry, type PartitionJournal } from "./partition-journal.ts";
import { openSpool } from "./spool.ts";
import { stagedKey, sweepStaging } from "./staging.ts";
import { watchTopic } from "./watch-topic.ts";

/** A topic as a journal: it is written as a whole, and read by partition. */
export interface KafkaJournal extends SharedJournal {
  /** as it was when it was opened */
  readonly topic: KafkaTopic;
  /** that it has now */
  partitions(): number;
  /** Removes from the store what was too large for the topic, once the topic keeps it no longer. */
  sweep(): Promise<unknown>;
  /** Reads a partition from an offset on, behind entries that were kept from before it. */
  open(partition: number, from: number, before?: readonly FetchedEntry[]): Promise<PartitionJournal>;
}

interface KafkaDeps {
  /** for records that are too large for the topic */
  readonly staging: Pick<ObjectStore, "putIfAbsent" | "getRange" | "list" | "delete">;
  /** default: ten minutes */
  readonly stagedWaitMs?: number;
  readonly log: Log;
  /** The topic was removed and made again: a start from the begin reads the new one. */
  readonly onReplaced: (error: JournalError) => void;
}

/** A store that is being restored is waited for so long before a body that is not in it is taken for lost, milliseconds. */
const STAGED_WAIT_MS = 600_000;

/**
 * Opens the topic, or makes it. Throws `JournalError`: `UNAVAILABLE`, `DENIED`, `UNSAFE_TOPIC` where one broker alone acknowledges,
 * `LOCKED` where another process uses the folder of the spool.
 */
export async function openKafkaJournal(
  address: KafkaAddress,
  { staging, stagedWaitMs = STAGED_WAIT_MS, log, onReplaced }: KafkaDeps,
): Promise<KafkaJournal> {
  const topic = await findTopic(address);
  assertSafeTopic(address, topic);
  const spool = openSpool(address.spool);
  const opened = new Map<number, PartitionJournal>();
  const staged: FetchLoopDeps["staged"] = async ({ digest, length }, receivedAt) => {
    const key = stagedKey(digest, receivedAt);
    const body = await staging.getRange(key, 0, length);
    if (hash("sha256", body) !== digest) throw new JournalError("DAMAGED", `${key} is not what was written there`);
    return body;
  };
  const watched = watchTopic(address, topic, { log, onReplaced });
  const loop: FetchLoop = startFetchLoop(address, { staged, stagedWaitMs, log });
  const writer = createKafkaWriter(address, {
    topic: watched.now,
    staging,
    onWritten: (partition, end) => opened.get(partition)?.noteEnd(end),
  });

  return {
    topic,
    partitions: () => watched.now().partitions,
    address: { driver: "local", folder: spool.folder },
    append: writer.append,
    bytes: spool.bytes,
    sweep: () => sweepStaging(staging, { retentionMs: watched.now().retentionMs, now: Date.now() }),
    async open(partition, from, before = []) {
      const ends = await loop.ends().catch((error: unknown) => {
        throw journalError(error, address, "the end of a partition cannot be read");
      });
      const begin = before[0]?.offset ?? from;
      const journal = createPartitionJournal({ partition, spool, from: begin, end: ends[partition] ?? 0 });
      if (before.length > 0) await journal.take(before, from);
      opened.set(partition, journal);
      loop.add(journal);
      return {
        ...journal,
        async close() {
          if (opened.get(partition) === journal) opened.delete(partition);
          await loop.remove(journal);
          await journal.close();
        },
      };
    },
    status: () => ({
      ...writer.counts(),
      storedBytes: spool.storedBytes(),
      freeBytes: null,
      refusing: watched.refusing() ?? refusedSince(writer.refused(), watched.writableAt()),
      damagedBytes: loop.lost(),
    }),
    async close() {
      await watched.close();
      await writer.close();
      for (const journal of opened.values()) await journal.close();
      await loop.close();
      await spool.close();
    },
  };
}

/** Rights that were taken away are not seen by looking: the next request shows whether they are back. */
const DENIED_MS = 30_000;

/** The last refusal, as long as the brokers have not said since that they take records. */
function refusedSince(refused: ReturnType<KafkaWriter["refused"]>, writableAt: number): JournalError | null {
  if (refused === null) return null;
  const until = refused.error.code === "DENIED" ? refused.at + DENIED_MS : refused.at;
  return writableAt > until ? null : refused.error;
}

/**
 * Of a topic and its group: the collectors that share a store have it in common. A topic that was made again has another one: how far
 * the one before was read says nothing of it.
 */
export const sharedId = ({ cluster, id }: KafkaTopic, { group }: KafkaAddress): string =>
  hash("sha256", `${cluster}\n${id}\n${group}`).slice(0, 32);
