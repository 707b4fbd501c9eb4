import type { Hook, HookedFile } from "@reenact/capture/hook";

/** What is used of a `Consumer`. */
interface Consumer {
  readonly queueUrl: string;
  readonly handleMessageBatch?: unknown;
}

const CONSUMER: HookedFile = {
  packages: ["sqs-consumer"],
  path: /^dist\/(?:cjs|esm)\/consumer\.js$/,
  value: "Consumer",
};

/** Name of the queue, which its address ends with. */
const queueOf = ({ queueUrl }: Consumer): string => queueUrl.slice(queueUrl.lastIndexOf("/") + 1);

export const sqsConsumer: Hook = {
  name: "jobs/sqs-consumer",
  title: "messages of sqs-consumer",
  files: [CONSUMER],
  versions: { from: "15.0.0", below: "16.0.0" },
  jobs: {
    by: "sqs-consumer",
    begins: "start",
    carriesOut: "handleMessage",
    isOwn: true,
    carriedOutBy: (consumer) =>
      (consumer as Consumer).handleMessageBatch === undefined ? "handleMessage" : "handleMessageBatch",
    from: (consumer) => queueOf(consumer as Consumer),
    read: ([given]) => ({ told: () => ({ [Array.isArray(given) ? "messages" : "message"]: structuredClone(given) }) }),
    given: ({ message, messages }) => [messages ?? message],
    services: [
      {
        ...CONSUMER,
        own: [
          "receiveMessage",
          "deleteMessage",
          "deleteMessageBatch",
          "changeVisibilityTimeout",
          "changeVisibilityTimeoutBatch",
        ],
      },
    ],
  },
};
