import type { Hook, JobTaker, MadeObject } from "@reenact/capture/hook";
import { NumberedNames } from "../numbered-names.ts";
import {
  type BatchPayload,
  batchOf,
  boundPayload,
  type MessagePayload,
  readMessage,
  tellBatch,
  type ToldBatch,
  writeMessage,
} from "./payload.ts";
import { readableSend } from "./readable-send.ts";

interface Config {
  readonly eachMessage?: ((payload: MessagePayload) => unknown) | null;
  readonly eachBatch?: ((payload: BatchPayload) => unknown) | null;
}

/** A message as its run tells it, or a batch. */
type RecordedJob = ToldBatch | { readonly topic: string; readonly partition: number; readonly message: object };

const groups = new NumberedNames();

/** `from`: the group, and which one of its consumers in this process */
const taker = (from: string): JobTaker => ({
  by: "kafkajs",
  takes: "run",
  held([given]) {
    const config = (given ?? {}) as Config;
    const name = config.eachMessage ? "eachMessage" : "eachBatch";
    const run = config[name];
    return run ? { run: run as never, with: (other) => [{ ...config, [name]: other }] } : null;
  },
  from: () => from,
  whyNot: "its messages are not recorded",
  taken: () => undefined,
  read([given]) {
    const payload = given as MessagePayload | BatchPayload;
    if ("message" in payload) {
      const { topic, partition } = payload;
      const message = readMessage(payload.message);
      return { name: topic, told: () => ({ topic, partition, message }) };
    }
    const told = tellBatch(payload);
    return { name: told.topic, told: () => ({ ...told }) };
  },
  bound: ([given], watch) => [boundPayload(given as MessagePayload | BatchPayload, watch)],
  given(job) {
    const recorded = job as unknown as RecordedJob;
    // all of these are steps, which a replay serves
    const calls = { heartbeat: () => Promise.resolve(), pause: () => () => {} };
    if ("message" in recorded) return [{ ...recorded, message: writeMessage(recorded.message), ...calls }];
    const ofBatches = { resolveOffset() {}, commitOffsetsIfNecessary: calls.heartbeat, uncommittedOffsets() {} };
    return [{ batch: batchOf(recorded), ...calls, ...ofBatches, isRunning: () => true, isStale: () => false }];
  },
});

const OPENS = ["connect", "disconnect"];
const resolved = (): Promise<void> => Promise.resolve();

const consumer: MadeObject = {
  method: "consumer",
  service: {
    own: [],
    atOnce: [...OPENS, "subscribe", "stop"],
    others: {
      system: "kafka",
      methods: ["describeGroup", "commitOffsets", "seek", "pause", "paused", "resume"],
      args: (given) => given,
      outside: { commitOffsets: resolved, seek: () => {}, pause: () => {}, paused: () => [], resume: () => {} },
    },
  },
  taker: ([options]) => taker(groups.nameOf({}, (options as { readonly groupId: string }).groupId)),
};

const TRANSACTION = { methods: ["send", "sendBatch", "sendOffsets", "commit", "abort"], flags: ["isActive"] };

const producer: MadeObject = {
  method: "producer",
  service: {
    own: [],
    atOnce: OPENS,
    others: {
      system: "kafka",
      methods: ["send", "sendBatch"],
      objects: { transaction: TRANSACTION },
      args: (given) => given.map((each) => readableSend(each)),
    },
  },
};

/** All that is asked of the broker is declared to be asynchronous there. */
const admin: MadeObject = {
  method: "admin",
  service: { own: [], atOnce: OPENS, others: { system: "kafka", args: (given) => given } },
};

/** Classes that a program asks `instanceof` of, as `kafkajs` exports them. */
const ERRORS = [
  "KafkaJSError",
  "KafkaJSNonRetriableError",
  "KafkaJSProtocolError",
  "KafkaJSOffsetOutOfRange",
  "KafkaJSNumberOfRetriesExceeded",
  "KafkaJSConnectionError",
  "KafkaJSConnectionClosedError",
  "KafkaJSRequestTimeoutError",
  "KafkaJSMetadataNotLoaded",
  "KafkaJSTopicMetadataNotLoaded",
  "KafkaJSDeleteGroupsError",
  "KafkaJSServerDoesNotSupportApiKey",
  "KafkaJSBrokerNotFound",
  "KafkaJSSASLAuthenticationError",
  "KafkaJSGroupCoordinatorNotFound",
  "KafkaJSTimeout",
  "KafkaJSDeleteTopicRecordsError",
  "KafkaJSCreateTopicError",
  "KafkaJSAlterPartitionReassignmentsError",
  "KafkaJSAggregateError",
  "KafkaJSNoBrokerAvailableError",
];

/** A consumer, a producer and an admin client are objects of closures, which methods of the client make. */
export const kafkajs: Hook = {
  name: "jobs/kafkajs",
  title: "messages of kafkajs",
  files: [{ packages: ["kafkajs"], path: /^src\/index\.js$/, value: "module.exports" }],
  versions: { from: "2.2.0", below: "3.0.0" },
  errors: ERRORS.map((value) => ({ packages: ["kafkajs"], path: /^src\/errors\.js$/, value })),
  made: [consumer, producer, admin],
};
