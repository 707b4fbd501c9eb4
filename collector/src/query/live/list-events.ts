import type { Filter } from "../../catalog/filter.ts";
import { matches } from "../../catalog/matches.ts";
import { apiRunOf } from "../api-run.ts";
import type { EventSource, LiveEvent } from "./event-stream.ts";
import type { RunChange, RunFeed } from "./run-feed.ts";

/** Events that may wait for a slow client; beyond, it is told to read the list again. */
const MOST_WAITING = 500;

/**
 * `run` for each run that fits as it changes, `gone` for one that is gone or fits no more, `reset` where changes were missed:
 * then the list is to be read again. A run that changes often while the client is slow comes once, as it is then.
 */
export function listEvents(
  feed: RunFeed,
  { tenant, filter, last }: { tenant: string; filter: Filter; last: string | undefined },
): EventSource {
  const epoch = feed.place().split("-", 1)[0]!;
  const waiting = new Map<string, RunChange>();
  let missed = false;
  let ended = false;
  let begun = false;
  let wake = () => {};

  function take(change: RunChange): void {
    waiting.delete(change.run);
    waiting.set(change.run, change);
    if (waiting.size > MOST_WAITING) {
      waiting.clear();
      missed = true;
    }
    wake();
  }

  const stop = feed.follow(tenant, take, last !== undefined);
  const before = last === undefined ? [] : feed.since(last, tenant);
  if (before === null) missed = true;
  else for (const change of before) take(change);

  function due(): LiveEvent | null {
    if (missed) {
      missed = false;
      begun = true;
      return { event: "reset", id: feed.place(), data: { reason: "changes were missed: read the list again" } };
    }
    if (!begun) {
      begun = true;
      // one that goes before anything has happened has a place to come back to
      if (last === undefined) return { event: "ready", id: feed.place(), data: {} };
    }
    const [run, change] = waiting.entries().next().value ?? [];
    if (run === undefined || change === undefined) return null;
    waiting.delete(run);
    // those that wait are in the order of their changes: all before this one have been given
    const id = `${epoch}-${change.seq}`;
    if (change.row !== null && matches(filter, change.row, ""))
      return { event: "run", id, data: { run: apiRunOf(change.row) } };
    return { event: "gone", id, data: { run } };
  }

  return {
    async next() {
      for (;;) {
        if (ended) return null;
        const event = due();
        if (event !== null) return event;
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    end() {
      if (ended) return;
      ended = true;
      stop();
      wake();
    },
  };
}
