import { once } from "node:events";
import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Log } from "../../../log.ts";
import type { NewEntry, Position } from "../../journal.ts";
import { JournalError } from "../../journal-error.ts";
import { diskFiles } from "./journal-files.ts";
import type { LocalJournalOptions } from "./local-journal-options.ts";
import { SEGMENT_HEAD } from "./record.ts";
import { type CommitMessage, type CommitWorkerData, RingControl } from "./ring.ts";
import { RingWriter } from "./ring-writer.ts";
import { SegmentTable } from "./segment-table.ts";

export interface CommitThread {
  table: SegmentTable;
  append(entry: NewEntry): Promise<Position>;
  /** Resolves at the next commit, at the end, or when the signal aborts. */
  change(signal?: AbortSignal): Promise<void>;
  /** No commit will come any more. */
  ended(): boolean;
  counts(): {
    commits: number;
    entries: number;
    lostCommits: number;
    freeBytes: number | null;
    refusing: JournalError | null;
  };
  close(): Promise<void>;
}

const MIN_FREE = 2 ** 30;
/** Free space is looked at again after so many milliseconds; another refusal is forgotten after so many without an attempt. */
const LOOK_MS = 1000;
const FORGET_MS = 10_000;

type Ready = Extract<CommitMessage, { kind: "ready" }>;

/** Starts the journal's worker, which recovers the folder first. */
export async function startCommitThread(options: LocalJournalOptions, log: Log): Promise<CommitThread> {
  const ring = {
    bytes: new SharedArrayBuffer(options.ringBytes ?? 16 * 2 ** 20),
    control: RingControl.allocate(),
  };
  const workerData: CommitWorkerData = {
    ring,
    folder: options.folder,
    segmentBytes: options.segmentBytes ?? 128 * 2 ** 20,
    lingerMs: options.lingerMs ?? 0.3,
    minFreeBytes: options.minFreeBytes ?? MIN_FREE,
    files: options.files ?? null,
  };
  const worker = new Worker(new URL(`commit-worker${extname(import.meta.filename)}`, import.meta.url), { workerData });
  const first = await firstMessage(worker);
  if (first.kind === "ready") return serve(options, log, worker, ring, first);
  throw first.kind === "refused"
    ? refusal(first)
    : new JournalError("IO", `the journal's worker answered ${first.kind}`);
}

/** Rejects where the worker ends without one. What it refuses, it has ended after. */
function firstMessage(worker: Worker): Promise<CommitMessage> {
  return new Promise((resolve, reject) => {
    let last: CommitMessage | null = null;
    worker.once("message", (message: CommitMessage) => {
      last = message;
      if (message.kind === "ready") resolve(message);
    });
    worker.once("error", (error) => reject(JournalError.from(error, "journal")));
    worker.once("exit", () => {
      if (last) resolve(last);
      else reject(new JournalError("IO", "the journal's worker ended at its start"));
    });
  });
}

function serve(
  { onDead, folder, minFreeBytes = MIN_FREE }: LocalJournalOptions,
  log: Log,
  worker: Worker,
  ring: CommitWorkerData["ring"],
  ready: Ready,
): CommitThread {
  const table = new SegmentTable(ready.segments, ready.segment, SEGMENT_HEAD);
  const writer = new RingWriter(ring, worker);
  const control = new RingControl(ring.control);
  const exited = once(worker, "exit");
  const wakers = new Set<() => void>();
  const counts = { commits: 0, entries: 0, lostCommits: 0, freeBytes: null as number | null };
  let refusing: JournalError | null = null;
  let refusedAt = -Infinity;
  let lookedAt = -Infinity;
  let dead: JournalError | null = null;
  let closing = false;
  if (ready.cut > 0) log("warn", "journal.tail-cut", { bytes: ready.cut, file: ready.setAside });

  function wake(): void {
    for (const waker of wakers) waker();
  }

  function endIfIdle(): void {
    if (closing && writer.idle) control.end();
  }

  function die(cause: unknown): void {
    if (dead) return;
    dead = new JournalError("CLOSED", closing ? "the journal is closed" : "the journal's worker ended", cause);
    writer.fail(dead);
    wake();
    if (closing) return;
    log("error", "journal.dead", { error: cause });
    onDead?.(dead);
  }

  /** A collector that is not ready gets no traffic: without this probe it would never learn that the disk accepts writes again. */
  function lookAtDisk(): void {
    const now = performance.now();
    if (now - lookedAt < LOOK_MS) return;
    lookedAt = now;
    try {
      counts.freeBytes = diskFiles.free(folder);
    } catch {
      return;
    }
    if (counts.freeBytes < minFreeBytes) {
      refusing ??= new JournalError("NO_SPACE", `less than ${minFreeBytes} bytes are free`);
    } else if (refusing && now - refusedAt >= (refusing.code === "NO_SPACE" ? LOOK_MS : FORGET_MS)) {
      log("info", "journal.tries-again");
      refusing = null;
    }
  }

  worker.on("message", (message: CommitMessage) => {
    if (message.kind === "durable") {
      if (refusing) log("info", "journal.writes-again");
      refusing = null;
      table.grow(message.segment, message.end);
      counts.commits++;
      counts.freeBytes = message.free;
      counts.entries += writer.settle(message.upTo, { segment: message.segment, offset: message.offset });
      wake();
    } else if (message.kind === "lost") {
      const error = refusal(message);
      if (!refusing) log("error", "journal.refuses", { error });
      refusing = error;
      refusedAt = performance.now();
      counts.lostCommits++;
      writer.settle(message.upTo, error);
    }
    endIfIdle();
  });
  worker.on("error", die);
  worker.on("exit", () => die(undefined));

  return {
    table,
    append: (entry) => {
      if (dead || closing) return Promise.reject(dead ?? new JournalError("CLOSED", "the journal is closing"));
      return writer.append(entry);
    },
    change: (signal) =>
      new Promise((resolve) => {
        if (dead || signal?.aborted) return resolve();
        const done = () => {
          wakers.delete(done);
          signal?.removeEventListener("abort", done);
          resolve();
        };
        wakers.add(done);
        signal?.addEventListener("abort", done);
      }),
    ended: () => dead !== null,
    counts: () => {
      lookAtDisk();
      return { ...counts, refusing };
    },
    close: async () => {
      closing = true;
      endIfIdle();
      if (!dead) await exited;
    },
  };
}

function refusal({ code, message }: { code: string | null; message: string }): JournalError {
  if (code === "NOT_A_JOURNAL") return new JournalError(code, message);
  return JournalError.from(Object.assign(new Error(message), { code }), "journal");
}
