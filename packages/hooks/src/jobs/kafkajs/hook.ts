import type { Hook, JobTaker, MadeObject } from "@reenact/capture/hook";
import { type BatchPayload, batchOf, boundPayload, type MessagePayload, readMessage, writeMessage } from "./payload.ts";
import { readableSend } from "./readable-send.ts";

interface Config {
  readonly eachMessage?: ((payload: MessagePayload) => unknown) | null;
  readonly eachBatch?: ((payload: BatchPayload) => unknown) | null;
}

/** A message as its run tells it, or the messages of a batch. */
interface RecordedJob {
  readonly topic: string;
  readonly partition: number;
  readonly message?: object;
  readonly messages?: readonly object[];
  readonly highWatermark?: string;
}

const taker = (groupId: string): JobTaker => ({
  by: "kafkajs",
  takes: "run",
  held([given]) {
    const config = (given ?? {}) as Config;
    const name = config.eachMessage ? "eachMessage" : "eachBatch";
    const run = config[name];
    return run ? { run: run as never, with: (other) => [{ ...config, [name]: other }] } : null;
  },
  from: () => groupId,
  whyNot: "its messages are not recorded",
  taken: () => undefined,
  read([given]) {
    const payload = given as MessagePayload | BatchPayload;
    if ("message" in payload) {
      const { topic, partition } = payload;
      const message = readMessage(payload.message);
      return { name: topic, told: () => ({ topic, partition, message }) };
    }
    const { topic, partition, highWatermark } = payload.batch;
    const messages = payload.batch.messages.map(readMessage);
    return { name: topic, told: () => ({ topic, partition, highWatermark, messages }) };
  },
  bound: ([given]) => [boundPayload(given as MessagePayload | BatchPayload)],
  given(job) {
    const { topic, partition, message, messages, highWatermark = "0" } = job as unknown as RecordedJob;
    const heartbeat = (): Promise<void> => Promise.resolve();
    const pause = () => (): void => {};
    if (message !== undefined) return [{ topic, partition, message: writeMessage(message), heartbeat, pause }];
    const batch = batchOf({ topic, partition, highWatermark, messages: (messages ?? []).map(writeMessage) });
    const rest = {
      resolveOffset() {},
      commitOffsetsIfNecessary: heartbeat,
      uncommittedOffsets: () => ({ topics: [] }),
    };
    return [{ batch, heartbeat, pause, ...rest, isRunning: () => true, isStale: () => false }];
  },
});

const OPENS = ["connect", "disconnect"];

const consumer: MadeObject = {
  method: "consumer",
  service: {
    own: [],
    atOnce: [...OPENS, "subscribe", "stop", "commitOffsets", "seek", "pause", "resume"],
    others: { system: "kafka", methods: ["describeGroup"], args: (given) => given },
  },
  taker: ([options]) => taker((options as { readonly groupId: string }).groupId),
};

const producer: MadeObject = {
  method: "producer",
  service: {
    own: [],
    atOnce: OPENS,
    others: { system: "kafka", methods: ["send", "sendBatch"], args: ([given]) => [readableSend(given)] },
  },
};

const admin: MadeObject = {
  method: "admin",
  service: {
    own: [],
    atOnce: OPENS,
    others: {
      system: "kafka",
      methods: [
        "listTopics",
        "createTopics",
        "deleteTopics",
        "createPartitions",
        "fetchTopicMetadata",
        "describeCluster",
        "fetchOffsets",
        "fetchTopicOffsets",
        "fetchTopicOffsetsByTimestamp",
        "setOffsets",
        "resetOffsets",
        "describeConfigs",
        "alterConfigs",
        "listGroups",
        "describeGroups",
        "deleteGroups",
        "deleteTopicRecords",
      ],
      args: (given) => given,
    },
  },
};

/** A consumer, a producer and an admin client are objects of closures, which methods of the client make. */
export const kafkajs: Hook = {
  name: "jobs/kafkajs",
  title: "messages of kafkajs",
  files: [{ packages: ["kafkajs"], path: /^src\/index\.js$/, value: "module.exports" }],
  versions: { from: "2.2.0", below: "3.0.0" },
  made: [consumer, producer, admin],
};
