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
      typeof (consumer as Consumer).handleMessageBatch === "function" ? "handleMessageBatch" : "handleMessage",
    from: (consumer) => queueOf(consumer as Consumer),
    read([given]) {
      // at once: many handlers parse the body in its place
      const job = { [Array.isArray(given) ? "messages" : "message"]: structuredClone(given) };
      return { told: () => job };
    },
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
