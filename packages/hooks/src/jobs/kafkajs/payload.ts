import { orderPromise, recordedValue, textOrBytes } from "@reenact/capture/hook";

type HeaderValue = Buffer | string | readonly (Buffer | string)[] | undefined;

/** What is used of a message of kafkajs. */
interface Message {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, HeaderValue>>;
  readonly offset: string;
  readonly timestamp: string;
  readonly attributes?: number;
}

/** What the library gives a handler to call, as its own work. */
interface Calls {
  heartbeat(): Promise<void>;
  commitOffsetsIfNecessary?(offsets?: unknown): Promise<void>;
  isRunning?(): boolean;
  isStale?(): boolean;
}

export interface MessagePayload extends Calls {
  readonly topic: string;
  readonly partition: number;
  readonly message: Message;
}

export interface BatchPayload extends Calls {
  readonly batch: {
    readonly topic: string;
    readonly partition: number;
    readonly highWatermark: string;
    readonly messages: readonly Message[];
  };
}

/** The message as a run tells it: text where its bytes are text. */
export function readMessage({ key, value, headers, offset, timestamp, attributes }: Message): object {
  const shown = Object.entries(headers ?? {}).map(([name, each]) => [name, readHeader(each)]);
  return {
    offset,
    timestamp,
    ...(attributes !== undefined && { attributes }),
    key: key === null ? null : textOrBytes(key),
    value: value === null ? null : textOrBytes(value),
    ...(headers !== undefined && { headers: Object.fromEntries(shown) as object }),
  };
}

function readHeader(value: HeaderValue): unknown {
  if (Array.isArray(value)) return value.map(readHeader);
  return Buffer.isBuffer(value) ? textOrBytes(value) : value;
}

export function writeMessage(told: object): Message {
  const { key, value, headers, ...rest } = told as { readonly [name in keyof Message]: never };
  const made = Object.entries(headers ?? {}).map(([name, each]) => [name, writeHeader(each)]);
  return {
    ...rest,
    key: bytesOf(key),
    value: bytesOf(value),
    ...(headers !== undefined && { headers: Object.fromEntries(made) as Record<string, HeaderValue> }),
  };
}

function writeHeader(value: unknown): unknown {
  return Array.isArray(value) ? value.map(writeHeader) : bytesOf(value as string | Uint8Array | null);
}

function bytesOf(value: string | Uint8Array | null): Buffer | null {
  if (value === null) return null;
  return typeof value === "string" ? Buffer.from(value) : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
}

/** What a handler calls there asks the broker, which is the library's own work: only when it is done is an event of the run. */
export function boundPayload<P extends Calls>(payload: P): P {
  const { heartbeat, commitOffsetsIfNecessary: commit, isRunning, isStale } = payload;
  return {
    ...payload,
    heartbeat: orderPromise(() => heartbeat()),
    ...(commit !== undefined && { commitOffsetsIfNecessary: orderPromise((offsets) => commit(offsets)) }),
    ...(isRunning !== undefined && { isRunning: () => recordedValue("M", () => Number(isRunning())) === 1 }),
    ...(isStale !== undefined && { isStale: () => recordedValue("M", () => Number(isStale())) === 1 }),
  };
}

/** As the library's own batch, which has no other messages than these. */
export function batchOf(parts: BatchPayload["batch"]): object {
  const { messages, highWatermark } = parts;
  const last = BigInt(highWatermark) - 1n;
  const [first, end] = [messages.at(0)?.offset ?? null, messages.at(-1)?.offset ?? String(last)];
  return {
    ...parts,
    isEmpty: () => messages.length === 0,
    isEmptyIncludingFiltered: () => messages.length === 0,
    isEmptyDueToFiltering: () => false,
    isEmptyControlRecord: () => false,
    isEmptyDueToLogCompactedMessages: () => false,
    firstOffset: () => first,
    lastOffset: () => end,
    offsetLag: () => String(last - BigInt(end)),
    offsetLagLow: () => (first === null ? "0" : String(last - BigInt(first))),
  };
}
