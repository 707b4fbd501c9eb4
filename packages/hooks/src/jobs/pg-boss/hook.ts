import { argumentAt, type Hook } from "@reenact/capture/hook";

/** What is used of a job as `work` hands it over. The rest of it is plain data. */
interface PgJob {
  readonly id: string;
  readonly signal?: unknown;
}

/** Where `work(queue, options?, handler)` has its handler. */
const handlerAt = (given: readonly unknown[]): number => (given.length > 2 ? 2 : 1);

function isTransactional(given: readonly unknown[]): boolean {
  const options = given.length > 2 ? given[1] : null;
  return (
    typeof options === "object" && options !== null && "transactional" in options && options.transactional === true
  );
}

/** Methods of `PgBoss` that ask PostgreSQL. A method that this version does not have is passed over. */
const METHODS = [
  "send",
  "sendAfter",
  "sendThrottled",
  "sendDebounced",
  "update",
  "upsert",
  "insert",
  "flow",
  "fetch",
  "subscribe",
  "unsubscribe",
  "publish",
  "cancel",
  "resume",
  "retry",
  "redrive",
  "previewRedrive",
  "deleteJob",
  "deleteQueuedJobs",
  "deleteStoredJobs",
  "deleteAllJobs",
  "complete",
  "fail",
  "touch",
  "getJobById",
  "findJobs",
  "createQueue",
  "updateQueue",
  "deleteQueue",
  "getQueue",
  "getQueues",
  "getQueueStats",
  "getBlockedKeys",
  "getDependencies",
  "getDependents",
  "getInstances",
  "supervise",
  "getReindexCommands",
  "resolveFlow",
  "isInstalled",
  "schemaVersion",
  "detectSchemaDrift",
  "schedule",
  "unschedule",
  "getSchedule",
  "getSchedules",
  "getBamStatus",
  "getBamEntries",
] as const;

export const pgBoss: Hook = {
  name: "jobs/pg-boss",
  title: "jobs of pg-boss",
  files: [{ packages: ["pg-boss"], path: /^dist\/index\.js$/, value: "PgBoss" }],
  versions: { from: "12.20.0", below: "13.0.0" },
  jobTaker: {
    by: "pg-boss",
    takes: "work",
    held: (given) => argumentAt(given, handlerAt(given)),
    from: (given) => (isTransactional(given) ? null : String(given[0])),
    whyNot: "jobs of workers with the option transactional are no runs of their own",
    taken: () => "00000000-0000-4000-8000-000000000000",
    read([jobs]) {
      // the handler may change them
      const told = (jobs as readonly PgJob[]).map((job) => structuredClone({ ...job, signal: undefined }));
      return { told: () => ({ jobs: told }) };
    },
    given: ({ jobs }) => [(jobs as readonly object[]).map((job) => ({ ...job, signal: new AbortController().signal }))],
    services: [
      {
        packages: ["pg-boss"],
        path: /^dist\/index\.js$/,
        value: "PgBoss",
        own: [],
        atOnce: ["stop", "offWork"],
        atOnceItself: ["start"],
        others: {
          system: "pg-boss",
          methods: METHODS,
          notKept: ["fetch"],
          args: (given) => given.map(plainArgument),
        },
      },
      {
        packages: ["pg-boss"],
        path: /^dist\/db\.js$/,
        value: "Db",
        own: ["open", "close", "executeSql", "listen", "beginTransaction", "withTransaction", "setSessionStatements"],
      },
    ],
  },
};

/** A job in place of its object, which has an `AbortSignal`; options without the adapter of a database. */
function plainArgument(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plainArgument);
  if (typeof value !== "object" || value === null) return value;
  if ("signal" in value && "id" in value) return { id: value.id };
  if (!("db" in value)) return value;
  const { db: _, ...rest } = value;
  return rest;
}
