import { errorCode } from "@reenact/envelope";
import type { Log } from "../log.ts";
import { deliver, type DeliverDeps } from "./deliver.ts";
import { type ForwardCounts, noCounts } from "./forward-counts.ts";
import type { Outcome } from "@reenact/envelope/transfer";
import { createCallTable } from "./run-calls.ts";
import type { Source } from "./source.ts";

export interface ForwarderDeps extends Omit<DeliverDeps, "counts" | "calls" | "failed" | "hopeless" | "unsent"> {
  readonly source: Source;
  readonly log: Log;
  /** where it went on last time, and where it is now: durable when it resolves */
  readonly cursor: {
    load(): Promise<string | null>;
    save(cursor: string, notes: Readonly<Record<string, string>>): Promise<void>;
  };
}

export interface ForwarderOptions {
  readonly name: string;
  /** spans that arrived so long ago are tried once and then given up, milliseconds */
  readonly giveUpAfter: number;
  /** so many bytes behind, the oldest are given up at once, most of them untried: a dead destination must not fill the disk */
  readonly maxBehindBytes: number;
}

export interface ForwardState extends ForwardCounts {
  readonly name: string;
  /** "waiting": the last attempt failed, or its cursor cannot be saved */
  readonly state: "working" | "waiting" | "stopped";
  /** null: not known yet, or nothing was sent ever */
  readonly cursor: string | null;
  /** how long ago the oldest spans that are not there yet arrived, milliseconds; 0: all are there */
  readonly lagMs: number;
  readonly behindBytes: number;
  readonly lastFailure: string | null;
}

export interface Forwarder {
  state(): ForwardState;
  /** Ends after the request that is under way, or at once when it waits. */
  close(): Promise<void>;
}

const SOURCE_WAIT = 5000;
/** Between two attempts while the oldest are given up. */
const SHORTEST_PAUSE = 1000;

/** Brings everything of a source to one destination, in order, for ever. It has no way to hold up anything else. */
export function startForwarder(options: ForwarderOptions, deps: ForwarderDeps): Forwarder {
  const { clock, log, source, cursor: saved } = deps;
  const counts = noCounts();
  const stop = new AbortController();
  let state: ForwardState["state"] = "working";
  let cursor: string | null = null;
  let oldest: number | null = null;
  let lastFailure: string | null = null;
  /** no attempt before this, where there is no time to lose */
  let pauseUntil = 0;

  const isTooFar = () => source.behind(cursor) > options.maxBehindBytes;

  const delivery: DeliverDeps = {
    ...deps,
    counts,
    calls: createCallTable(),
    async post(body, signal) {
      const began = clock.now();
      const outcome = await deps.post(body, signal);
      const ended = clock.now();
      pauseUntil = outcome.is === "later" ? ended + Math.max(SHORTEST_PAUSE, ended - began) : 0;
      return outcome;
    },
    // An attempt may take the whole time limit of a request, and spans come meanwhile.
    hopeless: () => (clock.now() < pauseUntil && isTooFar() ? (lastFailure ?? "no answer") : null),
    unsent(why: string) {
      lastFailure = why;
      log("error", "forward.unsent", { destination: options.name, why });
    },
    failed(outcome: Outcome, attempt: number) {
      state = "waiting";
      lastFailure = "why" in outcome ? outcome.why : null;
      const loud = attempt === 1 || attempt % 10 === 0;
      const level = outcome.is === "later" && !outcome.ours ? "warn" : "error";
      if (loud)
        log(level, "forward.failed", { destination: options.name, attempt, outcome: outcome.is, why: lastFailure });
    },
  };

  async function run(): Promise<void> {
    cursor = await persist(() => saved.load());
    while (!stop.signal.aborted) {
      try {
        await follow();
      } catch (error) {
        if (stop.signal.aborted) return;
        state = "waiting";
        lastFailure = error instanceof Error ? error.message : String(error);
        log("error", "forward.source-failed", { destination: options.name, cursor, error });
        // the journal was replaced: what it holds now was never sent
        if (errorCode(error) === "CURSOR_AHEAD") cursor = null;
      }
      await clock.sleep(SOURCE_WAIT, stop.signal);
    }
  }

  async function follow(): Promise<void> {
    for await (const batch of source.batches(cursor, stop.signal)) {
      oldest = batch.spans.length > 0 ? batch.receivedAt : null;
      const giveUp = () => clock.now() - batch.dueSince >= options.giveUpAfter || isTooFar();
      const before = counts.deadLettered + counts.dropped;
      if (!(await deliver(batch.spans, delivery, giveUp, stop.signal))) return;
      const lost = counts.deadLettered + counts.dropped - before;
      if (lost > 0) log("error", "forward.given-up", { destination: options.name, spans: lost, why: lastFailure });
      // what was given up does not make it well
      state = pauseUntil === 0 ? "working" : "waiting";
      await persist(() => saved.save(batch.next, batch.notes ?? {}));
      cursor = batch.next;
      oldest = null;
      if (stop.signal.aborted) return;
    }
  }

  /** The catalog's trouble is waited out: without a cursor nothing may be called forwarded. */
  async function persist<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (stop.signal.aborted) throw error;
        state = "waiting";
        lastFailure = error instanceof Error ? error.message : String(error);
        log("error", "forward.cursor-not-saved", { destination: options.name, error });
        await clock.sleep(5000, stop.signal);
      }
    }
  }

  const running = run().then(
    () => void (state = "stopped"),
    (error: unknown) => {
      state = "stopped";
      lastFailure = error instanceof Error ? error.message : String(error);
      if (!stop.signal.aborted) log("error", "forward.stopped", { destination: options.name, error });
    },
  );

  return {
    state: () => ({
      ...counts,
      name: options.name,
      state,
      cursor,
      lagMs: oldest === null ? 0 : Math.max(0, clock.now() - oldest),
      behindBytes: source.behind(cursor),
      lastFailure,
    }),
    async close() {
      stop.abort();
      await running;
    },
  };
}
