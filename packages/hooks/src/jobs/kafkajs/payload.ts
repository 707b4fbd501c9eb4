import { type AnyFunction, recordedValue, type ServiceCalls, textOrBytes, type WatchCall } from "@reenact/capture/hook";

type HeaderValue = Buffer | string | readonly (Buffer | string)[] | undefined;

/** A message of kafkajs. Those of old brokers have a `size`, and others members that the library does not document. */
interface Message {
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, HeaderValue>>;
  readonly offset: string;
}

/** What the library gives a handler to call. */
interface Calls {
  heartbeat(): Promise<void>;
  pause(): () => void;
  resolveOffset?(offset: string): void;
  commitOffsetsIfNecessary?(offsets?: unknown): Promise<void>;
  uncommittedOffsets?(): unknown;
  isRunning?(): boolean;
  isStale?(): boolean;
}

export interface MessagePayload extends Calls {
  readonly topic: string;
  readonly partition: number;
  readonly message: Message;
}

/** What a batch of the library tells by its methods: messages that it holds back from the handler count there. */
interface BatchOffsets {
  firstOffset(): string | null;
  lastOffset(): string;
  offsetLag(): string;
  offsetLagLow(): string;
}

export interface BatchPayload extends Calls {
  readonly batch: BatchOffsets & {
    readonly topic: string;
    readonly partition: number;
    readonly highWatermark: string;
    readonly messages: readonly Message[];
  };
}

/** A batch as its run tells it. */
export interface ToldBatch {
  readonly topic: string;
  readonly partition: number;
  readonly highWatermark: string;
  readonly messages: readonly object[];
  readonly firstOffset: string | null;
  readonly lastOffset: string;
  readonly offsetLag: string;
  readonly offsetLagLow: string;
}

/** The message as a run tells it: text where its bytes are text. */
export function readMessage({ key, value, headers, ...rest }: Message): object {
  const shown = Object.entries(headers ?? {}).map(([name, each]) => [name, readHeader(each)]);
  return {
    ...structuredClone(rest),
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

const CALLS: ServiceCalls = {
  system: "kafka",
  args: (given) => given,
  notKept: ["heartbeat", "pause", "resume", "resolveOffset", "commitOffsetsIfNecessary", "uncommittedOffsets"],
};

/** What a handler asks the broker there, and tells the library of its progress, are steps. */
export function boundPayload<P extends Calls>(payload: P, watch: WatchCall): P {
  const { pause, isRunning, isStale } = payload;
  const steps = (["heartbeat", "resolveOffset", "commitOffsetsIfNecessary", "uncommittedOffsets"] as const).flatMap(
    (name) => {
      const real = payload[name];
      return real === undefined ? [] : [[name, watch(name, real as AnyFunction, CALLS)]];
    },
  );
  return {
    ...payload,
    ...(Object.fromEntries(steps) as object),
    pause() {
      let resume = (): void => {};
      watch(
        "pause",
        () => {
          resume = pause();
        },
        CALLS,
      )();
      return watch("resume", () => resume(), CALLS);
    },
    ...(isRunning !== undefined && { isRunning: () => recordedValue("M", () => Number(isRunning())) === 1 }),
    ...(isStale !== undefined && { isStale: () => recordedValue("M", () => Number(isStale())) === 1 }),
  };
}

/** Takes what is told of a batch, before the handler can change it. */
export function tellBatch({ batch }: BatchPayload): ToldBatch {
  const { topic, partition, highWatermark, messages } = batch;
  return {
    topic,
    partition,
    highWatermark,
    messages: messages.map(readMessage),
    firstOffset: batch.firstOffset(),
    lastOffset: batch.lastOffset(),
    offsetLag: batch.offsetLag(),
    offsetLagLow: batch.offsetLagLow(),
  };
}

/** As the library's own batch: a handler gets none that is empty. */
export function batchOf({ firstOffset, lastOffset, offsetLag, offsetLagLow, messages, ...rest }: ToldBatch): object {
  return {
    ...rest,
    messages: messages.map(writeMessage),
    isEmpty: () => messages.length === 0,
    isEmptyIncludingFiltered: () => messages.length === 0,
    isEmptyDueToFiltering: () => false,
    isEmptyControlRecord: () => false,
    isEmptyDueToLogCompactedMessages: () => false,
    firstOffset: () => firstOffset,
    lastOffset: () => lastOffset,
    offsetLag: () => offsetLag,
    offsetLagLow: () => offsetLagLow,
  };
}
