import type { Hook } from "@reenact/capture/hook";
import { NumberedNames } from "../numbered-names.ts";

/** What is used of a `Runner`, which each task has. */
interface Runner {
  readonly timeMatcher: { readonly pattern: string };
  readonly heartBeatTimeout?: NodeJS.Timeout;
}

/** What `onMatch` is told beside the date. */
interface Execution {
  readonly id?: string;
  readonly reason?: string;
}

const schedules = new NumberedNames();

/** Tasks in files of their own run in child processes, and have no runner here. */
export const nodeCron: Hook = {
  name: "jobs/node-cron",
  title: "tasks of node-cron",
  files: [{ packages: ["node-cron"], path: /^dist\/_shared\.c?js$/, value: "Runner" }],
  versions: { from: "4.6.0", below: "5.0.0" },
  jobs: {
    by: "node-cron",
    begins: "start",
    carriesOut: "onMatch",
    isOwn: true,
    still: (runner) => clearTimeout((runner as Runner).heartBeatTimeout),
    from: (runner) => schedules.nameOf(runner, (runner as Runner).timeMatcher.pattern),
    read([date, execution]) {
      const [at, { id, reason }] = [(date as Date).toISOString(), execution as Execution];
      return { told: () => ({ date: at, id, reason }) };
    },
    given: ({ date, id, reason }) => [new Date(String(date)), { id, reason, startedAt: new Date() }],
  },
};
