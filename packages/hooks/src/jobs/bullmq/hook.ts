import type { Hook, JobService, JobSource } from "@reenact/capture/hook";

/** What is used of a `Job`. */
interface BullJob {
  readonly id?: string;
  readonly name: string;
  readonly attemptsMade: number;
  token?: string;
  asJSON(): Record<string, unknown> & { data: string };
}

/** What is used of a `Worker`. */
interface BullWorker {
  readonly name: string;
  /** there are child processes or threads that carry out the jobs */
  readonly childPool?: unknown;
  readonly processorAcceptsSignal?: boolean;
  createJob(json: object, id: string | undefined): BullJob;
}

/** A recorded job, as `asJSON` of the library tells it, with its data as the value that it is. */
interface RecordedJob {
  readonly id?: string;
  /** the token of the worker's lock: a member of that name would be redacted as a secret, and this is none */
  readonly lock?: string;
  readonly data?: unknown;
}

const jobs: JobSource = {
  by: "bullmq",
  begins: "run",
  carriesOut: "callProcessJob",
  from: (worker) => ((worker as BullWorker).childPool === undefined ? (worker as BullWorker).name : null),
  read([job, token]) {
    const { data, ...rest } = (job as BullJob).asJSON();
    const attempt = (job as BullJob).attemptsMade + 1;
    return {
      name: (job as BullJob).name,
      told: () => ({ ...rest, attempt, lock: token, data: JSON.parse(data) as unknown }),
    };
  },
  given(recorded, instance) {
    const worker = instance as BullWorker;
    const { id, lock, data } = recorded as RecordedJob;
    const job = worker.createJob({ ...recorded, data: JSON.stringify(data) }, id);
    if (lock !== undefined) job.token = lock;
    const signal = worker.processorAcceptsSignal === true ? new AbortController().signal : undefined;
    return [job, lock, signal];
  },
  services: [connection(), backend()],
};

/** The connections of the library. One that the program gives it is the program's. */
function connection(): JobService {
  return {
    packages: ["bullmq"],
    path: /^dist\/(?:cjs|esm)\/classes\/redis-connection\.js$/,
    value: "RedisConnection",
    own: ["init"],
  };
}

/** What workers and queues ask Redis. */
function backend(): JobService {
  return {
    packages: ["bullmq"],
    path: /^dist\/(?:cjs|esm)\/classes\/redis-queue-backend\.js$/,
    value: "RedisQueueBackend",
    own: [
      "waitForJob",
      "moveToActive",
      "extendLocks",
      "moveStalledJobsToWait",
      "moveToCompleted",
      "moveToFailed",
      "readEvents",
    ],
    atOnce: ["waitUntilReady", "close", "disconnect", "setName", "disconnectBlocking", "reconnectBlocking"],
    others: { system: "bullmq", args: (given) => given.map(plainArgument) },
  };
}

/** A job in place of its object, which holds the queue and its connections. */
function plainArgument(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("asJSON" in value)) return value;
  const { id, name } = value as unknown as BullJob;
  return { id, name };
}

export const bullmq: Hook = {
  name: "jobs/bullmq",
  title: "jobs of BullMQ",
  files: [{ packages: ["bullmq"], path: /^dist\/(?:cjs|esm)\/classes\/worker\.js$/, value: "Worker" }],
  versions: { from: "6.0.0", below: "7.0.0" },
  jobs,
};
