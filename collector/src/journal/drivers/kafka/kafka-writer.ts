import { hash } from "node:crypto";
import { ProduceAcks, Producer } from "@platformatic/kafka";
import type { ObjectStore } from "../../../store/object-store.ts";
import { JournalError } from "../../journal-error.ts";
import type { NewEntry, Position } from "../../journal.ts";
import type { KafkaAddress } from "./kafka-address.ts";
import { clientOptions, journalError } from "./kafka-client.ts";
import type { KafkaTopic } from "./kafka-topic.ts";
import { offsetPosition } from "./offset-position.ts";
import { writeHeaders } from "./record-headers.ts";
import { partitionOf, runRecords } from "./run-records.ts";
import { stagedKey } from "./staging.ts";

/** Of a batch beside the bodies: keys, headers, and the batch's own head. */
const OVERHEAD = 2_048;
/** In one request, of all partitions. */
const REQUEST_BYTES = 8 * 1024 ** 2;

export interface KafkaWriter {
  /** Resolves when every record of the entry is acknowledged by as many brokers as the topic asks for. */
  append(entry: NewEntry): Promise<Position>;
  counts(): { readonly commits: number; readonly entries: number; readonly lostCommits: number };
  /** why the last request was refused, and when, by `performance.now()`; null: it was not */
  refused(): { readonly error: JournalError; readonly at: number } | null;
  close(): Promise<void>;
}

interface WriterDeps {
  /** as it is now */
  readonly topic: () => KafkaTopic;
  /** for records that are too large for the topic */
  readonly staging: Pick<ObjectStore, "putIfAbsent">;
  readonly onWritten: (partition: number, end: number) => void;
}

interface Message {
  readonly topic: string;
  readonly partition: number;
  readonly key: Buffer;
  readonly value: Buffer;
  readonly headers: Map<Buffer, Buffer>;
}

interface Waiting {
  readonly message: Message;
  readonly resolve: (offset: number) => void;
  readonly reject: (error: unknown) => void;
}

/** Sends records. Those that come while a request is under way go together in the next one. */
export function createKafkaWriter(address: KafkaAddress, { topic, staging, onWritten }: WriterDeps): KafkaWriter {
  const producer = new Producer({ ...clientOptions(address), strict: false });
  const maxBytes = () => topic().maxBytes - OVERHEAD;
  const counts = { commits: 0, entries: 0, lostCommits: 0 };
  let queue: Waiting[] = [];
  let sending: Promise<void> | null = null;
  let refused: { readonly error: JournalError; readonly at: number } | null = null;
  let closed = false;

  async function messageOf(entry: NewEntry, key: string, body: Uint8Array): Promise<Message> {
    const { tenant, kind, receivedAt } = entry;
    const fits = body.length <= maxBytes();
    const staged = fits ? null : { digest: hash("sha256", body), length: body.length };
    if (staged !== null) await staging.putIfAbsent(stagedKey(staged.digest, receivedAt), body);
    return {
      topic: address.topic,
      partition: partitionOf(key, topic().partitions),
      key: Buffer.from(key),
      value: fits ? Buffer.from(body.buffer, body.byteOffset, body.length) : Buffer.alloc(0),
      headers: writeHeaders({ tenant, kind, receivedAt, staged }),
    };
  }

  /** As many as fit one request: of each partition no more than one batch. */
  function nextBatch(): Waiting[] {
    const sizes = new Map<number, number>();
    const most = maxBytes();
    let total = 0;
    let taken = 0;
    for (const { message } of queue) {
      const size = message.value.length + message.key.length + 512;
      const ofPartition = (sizes.get(message.partition) ?? 0) + size;
      if (taken > 0 && (ofPartition > most || total + size > REQUEST_BYTES)) break;
      sizes.set(message.partition, ofPartition);
      total += size;
      taken++;
    }
    return queue.splice(0, taken);
  }

  async function send(batch: readonly Waiting[]): Promise<void> {
    try {
      const messages = batch.map(({ message }) => message);
      const { offsets = [] } = await producer.send({ acks: ProduceAcks.ALL, compression: "zstd", messages });
      counts.commits++;
      refused = null;
      const next = new Map(offsets.map(({ partition, offset }) => [partition, Number(offset)]));
      for (const { message, resolve } of batch) {
        const offset = next.get(message.partition) ?? 0;
        next.set(message.partition, offset + 1);
        resolve(offset);
      }
      for (const [partition, end] of next) onWritten(partition, end);
    } catch (cause) {
      counts.lostCommits++;
      const error = journalError(cause, address, "records were not acknowledged");
      refused = { error, at: performance.now() };
      for (const { reject } of batch) reject(error);
    }
  }

  async function sendAll(): Promise<void> {
    while (queue.length > 0) {
      // oxlint-disable-next-line no-await-in-loop -- one request after another keeps the order
      await send(nextBatch());
    }
    sending = null;
  }

  const written = (message: Message): Promise<number> =>
    new Promise((resolve, reject) => {
      // its body was being staged
      if (closed) return reject(closedError());
      queue.push({ message, resolve, reject });
      // those of the same turn go with it
      sending ??= Promise.resolve().then(sendAll);
    });

  async function append(entry: NewEntry): Promise<Position> {
    if (closed) throw closedError();
    const body = entry.body instanceof Uint8Array ? entry.body : Buffer.concat(entry.body);
    entry.check?.(body);
    const messages = await Promise.all(
      runRecords(entry, body).map((record) => messageOf(entry, record.key, record.body)),
    );
    const offsets = await Promise.all(messages.map(written));
    counts.entries++;
    return offsetPosition(offsets[0] ?? 0);
  }

  return {
    append,
    counts: () => ({ ...counts }),
    refused: () => refused,
    async close() {
      closed = true;
      await sending;
      await producer.close().catch(() => {});
    },
  };
}

const closedError = () => new JournalError("CLOSED", "the journal is closed");
