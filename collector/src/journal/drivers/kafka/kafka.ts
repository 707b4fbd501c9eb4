import { hash } from "node:crypto";
import type { Log } from "../../../log.ts";
import type { ObjectStore } from "../../../store/object-store.ts";
import { JournalError } from "../../journal-error.ts";
import type { SharedJournal } from "../../journal.ts";
import { type FetchLoop, startFetchLoop } from "./fetch-loop.ts";
import type { KafkaAddress } from "./kafka-address.ts";
import { journalError } from "./kafka-client.ts";
import { assertSafeTopic, findTopic, type KafkaTopic } from "./kafka-topic.ts";
import { createKafkaWriter, stagedKey } from "./kafka-writer.ts";
import { createPartitionJournal, type FetchedEntry, type PartitionJournal } from "./partition-journal.ts";
import { openSpool } from "./spool.ts";

/** A topic as a journal: it is written as a whole, and read by partition. */
export interface KafkaJournal extends SharedJournal {
  readonly topic: KafkaTopic;
  /** Reads a partition from an offset on, behind entries that were kept from before it. */
  open(partition: number, from: number, before?: readonly FetchedEntry[]): Promise<PartitionJournal>;
}

interface KafkaDeps {
  /** for records that are too large for the topic */
  readonly staging: Pick<ObjectStore, "putIfAbsent" | "getRange">;
  readonly log: Log;
}

/**
 * Opens the topic, or makes it. Throws `JournalError`: `UNAVAILABLE`, `DENIED`, `UNSAFE_TOPIC` where one broker alone acknowledges,
 * `LOCKED` where another process uses the folder of the spool.
 */
export async function openKafkaJournal(address: KafkaAddress, { staging, log }: KafkaDeps): Promise<KafkaJournal> {
  const topic = await findTopic(address);
  assertSafeTopic(address, topic);
  const spool = openSpool(address.spool);
  const opened = new Map<number, PartitionJournal>();
  const staged = async (digest: string, length: number): Promise<Uint8Array> => {
    const body = await staging.getRange(stagedKey(digest), 0, length);
    if (body.length < length) throw new JournalError("DAMAGED", `${stagedKey(digest)} has ${body.length} bytes`);
    return body;
  };
  const loop: FetchLoop = startFetchLoop(address, { staged, log });
  const writer = createKafkaWriter(address, {
    topic,
    staging,
    onWritten: (partition, end) => opened.get(partition)?.noteEnd(end),
  });

  return {
    topic,
    address: { driver: "local", folder: spool.folder },
    append: writer.append,
    bytes: spool.bytes,
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
      refusing: writer.refusing(),
      damagedBytes: loop.lost(),
    }),
    async close() {
      await writer.close();
      for (const journal of opened.values()) await journal.close();
      await loop.close();
      await spool.close();
    },
  };
}

/** Of a cluster's topic and its group: the collectors that share a store have it in common. */
export const sharedId = ({ cluster }: KafkaTopic, { topic, group }: KafkaAddress): string =>
  hash("sha256", `${cluster}\n${topic}\n${group}`).slice(0, 32);
