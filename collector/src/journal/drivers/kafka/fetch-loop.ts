import { setTimeout as pause } from "node:timers/promises";
import { Consumer, ListOffsetTimestamps, ResponseError } from "@platformatic/kafka";
import type { Log } from "../../../log.ts";
import { StoreError } from "../../../store/store-error.ts";
import { JournalError } from "../../journal-error.ts";
import type { KafkaAddress } from "./kafka-address.ts";
import { clientOptions, journalError } from "./kafka-client.ts";
import type { FetchedEntry, PartitionJournal } from "./partition-journal.ts";
import { readHeaders, type RecordHeaders, type StagedBody } from "./record-headers.ts";

/** The broker waits so long for a first record. */
const WAIT_MS = 250;
const REQUEST_BYTES = 16 * 1024 ** 2;
const PARTITION_BYTES = 4 * 1024 ** 2;
const IDLE_MS = 20;
const LONGEST_PAUSE = 5_000;
const OFFSET_OUT_OF_RANGE = 1;
const NO_LEADER = -1;

/** Fetches the records of some partitions, one request to each leading broker at a time. */
export interface FetchLoop {
  add(journal: PartitionJournal): void;
  /** Resolves when nothing more will be given to it. */
  remove(journal: PartitionJournal): Promise<void>;
  /** Offsets behind the last record of each partition. */
  ends(): Promise<readonly number[]>;
  /** records that the brokers had deleted before they were read, and records that could not be understood */
  lost(): number;
  close(): Promise<void>;
}

export interface FetchLoopDeps {
  /** The body of a record that was too large for the topic. */
  readonly staged: (place: StagedBody, receivedAt: number) => Promise<Uint8Array>;
  /** A body that is not there after so long, milliseconds, is gone: its record is passed over. */
  readonly stagedWaitMs: number;
  readonly log: Log;
}

interface LostBody {
  readonly offset: number;
  readonly tenant: string;
  readonly receivedAt: number;
  readonly error: unknown;
}

type Client = Consumer<Buffer, Buffer, Buffer, Buffer>;
type Response = Awaited<ReturnType<Client["fetch"]>>;
type FetchedPartition = Response["responses"][number]["partitions"][number];

export function startFetchLoop(address: KafkaAddress, { staged, stagedWaitMs, log }: FetchLoopDeps): FetchLoop {
  const { topic } = address;
  // it never joins the group: its requests wait for records, and would keep those of a member waiting
  const client: Client = new Consumer({ ...clientOptions(address), groupId: `${address.group}.fetch`, retries: 0 });
  client.topics.track(topic);
  const journals = new Map<number, PartitionJournal>();
  let lost = 0;
  const ending = new AbortController();
  let failures = 0;
  /** partitions that could not be taken: how often in a row, and when each is asked for again */
  const waiting = new Map<PartitionJournal, { readonly failures: number; readonly until: number }>();
  /** partitions with a record whose body was not there, and since when none was */
  const missing = new Map<PartitionJournal, number>();
  let round: Promise<void> = Promise.resolve();
  const running = run();

  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      round = fetchOnce();
      // oxlint-disable-next-line no-await-in-loop -- one round after another
      await round;
    }
  }

  async function fetchOnce(): Promise<void> {
    const wanted = [...journals.values()].flatMap((journal) => {
      const offset = (waiting.get(journal)?.until ?? 0) > Date.now() ? null : journal.wanted();
      return offset === null ? [] : [{ journal, offset }];
    });
    if (wanted.length === 0) {
      await pause(IDLE_MS);
      return;
    }
    try {
      const metadata = await client.metadata({ topics: [topic], forceUpdate: failures > 0 });
      const found = metadata.topics.get(topic);
      if (!found) throw new Error(`there is no topic ${topic}`);
      const byLeader = Map.groupBy(wanted, ({ journal }) => found.partitions[journal.partition]?.leader ?? NO_LEADER);
      for (const { journal } of byLeader.get(NO_LEADER) ?? []) putOff(journal, new Error("it has no leader"));
      byLeader.delete(NO_LEADER);
      const ended = await Promise.allSettled([...byLeader].map(([leader, some]) => fetchFrom(leader, found.id, some)));
      // only now: a request that is under way would be made once more
      for (const each of ended) if (each.status === "rejected") throw each.reason;
      if (failures > 0) log("info", "journal.brokers-answer", { topic });
      failures = 0;
    } catch (cause) {
      if (ending.signal.aborted) return;
      failures++;
      const error = journalError(cause, address, "nothing can be fetched");
      log(failures < 4 ? "warn" : "error", "journal.brokers-away", { failures, error });
      await pause(pauseAfter(failures));
    }
  }

  async function fetchFrom(
    node: number,
    topicId: string,
    wanted: readonly { readonly journal: PartitionJournal; readonly offset: number }[],
  ): Promise<void> {
    const partitions = wanted.map(({ journal, offset }) => ({
      partition: journal.partition,
      fetchOffset: BigInt(offset),
      partitionMaxBytes: PARTITION_BYTES,
      currentLeaderEpoch: -1,
      lastFetchedEpoch: -1,
    }));
    const response = await client
      .fetch({ node, maxWaitTime: WAIT_MS, minBytes: 1, maxBytes: REQUEST_BYTES, topics: [{ topicId, partitions }] })
      .catch((error: unknown) => responseOf(error));
    for (const found of response.responses.flatMap((each) => each.partitions)) {
      const asked = wanted.find(({ journal }) => journal.partition === found.partitionIndex);
      if (!asked || journals.get(found.partitionIndex) !== asked.journal) continue;
      try {
        // oxlint-disable-next-line no-await-in-loop -- one after another keeps the memory of one
        await takeFound(asked.journal, found, asked.offset);
        waiting.delete(asked.journal);
      } catch (error) {
        // the others do not wait for it
        putOff(asked.journal, error);
      }
    }
  }

  async function takeFound(journal: PartitionJournal, found: FetchedPartition, from: number): Promise<void> {
    if (found.errorCode === OFFSET_OUT_OF_RANGE) return skipLost(journal, from);
    if (found.errorCode !== 0) throw new Error(`the broker answers with error ${found.errorCode}`);
    return give(journal, found, from);
  }

  function putOff(journal: PartitionJournal, error: unknown): void {
    const times = (waiting.get(journal)?.failures ?? 0) + 1;
    waiting.set(journal, { failures: times, until: Date.now() + pauseAfter(times) });
    const { partition } = journal;
    log(times < 4 ? "warn" : "error", "journal.partition-waits", { topic, partition, failures: times, error });
  }

  async function give(journal: PartitionJournal, found: FetchedPartition, from: number): Promise<void> {
    const read = await readRecords(journal, found, from);
    const { entries, next, foreign, gone } = read;
    journal.noteEnd(Number(found.highWatermark));
    if (next > from) await journal.take(entries, next);
    // only now: what could not be taken is fetched again
    lost += foreign.length + gone.length;
    for (const each of gone) log("error", "journal.body-lost", { topic, partition: journal.partition, ...each });
    for (const offset of foreign)
      log("error", "journal.foreign-record", { topic, partition: journal.partition, offset });
    if ("failure" in read) throw read.failure;
  }

  /** Records as far as they can be read: `failure` is why no more could be. `foreign`: offsets of records that no collector made; `gone`: records whose body is lost. */
  async function readRecords(
    journal: PartitionJournal,
    found: FetchedPartition,
    from: number,
  ): Promise<{ entries: FetchedEntry[]; next: number; foreign: number[]; gone: LostBody[]; failure?: unknown }> {
    const entries: FetchedEntry[] = [];
    const gone: LostBody[] = [];
    const foreign: number[] = [];
    let next = from;
    for (const { firstOffset, lastOffsetDelta, records } of found.records ?? []) {
      for (const record of records) {
        const offset = Number(firstOffset) + record.offsetDelta;
        if (offset < from) continue;
        const headers = readHeaders(record.headers);
        if (headers === null) {
          foreign.push(offset);
          continue;
        }
        try {
          const { tenant, kind, receivedAt } = headers;
          entries.push({ offset, tenant, kind, receivedAt, body: await bodyOf(headers, record.value) });
          if (headers.staged !== null) missing.delete(journal);
        } catch (failure) {
          if (!isGoneForGood(journal, failure))
            return { entries, next: Math.max(next, offset), foreign, gone, failure };
          gone.push({ offset, tenant: headers.tenant, receivedAt: headers.receivedAt, error: failure });
        }
      }
      next = Math.max(next, Number(firstOffset) + lastOffsetDelta + 1);
    }
    return { entries, next, foreign, gone };
  }

  /**
   * Whether a body is not in the store, or is another one, and none of the partition has been for long enough: where many are gone, the
   * records behind them do not wait that long for each.
   */
  function isGoneForGood(journal: PartitionJournal, error: unknown): boolean {
    const isThere =
      !(error instanceof StoreError && (error.code === "NO_OBJECT" || error.code === "BAD_RANGE")) &&
      !(error instanceof JournalError && error.code === "DAMAGED");
    if (isThere) return false;
    const since = missing.get(journal) ?? Date.now();
    missing.set(journal, since);
    return Date.now() - since >= stagedWaitMs;
  }

  async function bodyOf(headers: RecordHeaders, value: Buffer | null): Promise<Uint8Array> {
    const place = headers.staged;
    return place === null ? (value ?? Buffer.alloc(0)) : staged(place, headers.receivedAt);
  }

  /** The brokers keep records for a time only: what they deleted before it was sealed is gone, and this is said. */
  async function skipLost(journal: PartitionJournal, from: number): Promise<void> {
    const { partition } = journal;
    const asked = { topics: [topic], partitions: { [topic]: [partition] } };
    const offsets = await client.listOffsets({ ...asked, timestamp: ListOffsetTimestamps.EARLIEST });
    const first = Number(offsets.get(topic)?.[partition] ?? 0n);
    if (first <= from) throw new Error(`partition ${partition} ends before ${from}`);
    // who reads this partition for the first time has perhaps lost nothing of it
    if (from === 0) log("warn", "journal.begins-late", { topic, partition, to: first });
    else {
      lost += first - from;
      log("error", "journal.records-lost", { topic, partition, from, to: first });
    }
    await journal.take([], first);
  }

  return {
    add: (journal) => void journals.set(journal.partition, journal),
    async remove(journal) {
      if (journals.get(journal.partition) === journal) journals.delete(journal.partition);
      waiting.delete(journal);
      missing.delete(journal);
      await round;
    },
    async ends() {
      const offsets = await client.listOffsets({ topics: [topic], timestamp: ListOffsetTimestamps.LATEST });
      return (offsets.get(topic) ?? []).map(Number);
    },
    lost: () => lost,
    async close() {
      ending.abort();
      await running;
      await client.close(true).catch(() => {});
    },
  };
}

const pauseAfter = (failures: number): number =>
  Math.min(LONGEST_PAUSE, 100 * 2 ** failures) * (0.5 + Math.random() / 2);

/** A refusal of one partition comes as an error, with what the others answered. */
function responseOf(error: unknown): Response {
  if (error instanceof ResponseError && typeof error["response"] === "object") return error["response"] as Response;
  throw error;
}
