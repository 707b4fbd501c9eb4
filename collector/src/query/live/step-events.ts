import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CatalogReader } from "../../catalog/catalog.ts";
import type { OpenChanges, OpenRuns } from "../unpacked-runs.ts";
import { apiRunOf } from "../api-run.ts";
import type { EventSource, LiveEvent } from "./event-stream.ts";

const LOOK = 500;
/** Spans that are read at a time. */
const MOST_AT_ONCE = 200;

export interface StepEventsDeps {
  readonly catalog: Pick<CatalogReader, "get">;
  readonly changes: Pick<OpenChanges, "order">;
  readonly open: Pick<OpenRuns, "lines" | "rows">;
  readonly lookMs?: number;
}

/**
 * The events of an open run: `step` for each step, in the order of arrival; `run` with the run's row after them; `sealed` with
 * the row once the run lies in a pack, or `gone`, as the last one. `reset`: earlier events were not complete, read the tree
 * again. An event's id holds the number of steps sent and a digest of their ids, so that a client can resume with any process.
 */
export function stepEvents(
  { catalog, changes, open, lookMs = LOOK }: StepEventsDeps,
  { tenant, run, last }: { tenant: string; run: string; last: string | undefined },
): EventSource {
  const ready: LiveEvent[] = [];
  let sent = 0;
  /** of the ids of the steps sent, in their order */
  let digest = createHash("sha256");
  let wanted = last;
  let over = false;
  let ended = false;
  let wake = () => {};
  let row = true;

  async function look(): Promise<void> {
    if (changes.order(tenant, run, 0, 0) === null) return finish();
    if (wanted !== undefined) {
      const given = wanted;
      wanted = undefined;
      if (!(await resumeAfter(given))) reset("the id of the last event is not known");
    }
    const order = changes.order(tenant, run, sent, MOST_AT_ONCE);
    if (order === null) return finish();
    if (order.total < sent) return reset("a part of the run is sealed");
    if (order.ids.length > 0) {
      const lines = await open.lines(tenant, run, sent, order.ids.length);
      if (lines === null) return;
      for (const [n, line] of lines.slice(0, order.ids.length).entries()) {
        digest.update(order.ids[n]!);
        sent++;
        ready.push({ event: "step", id: cursor(), data: { step: line } });
      }
      row = true;
      return;
    }
    if (!row) return;
    row = false;
    for (const each of await open.rows(tenant, run)) ready.push({ event: "run", data: { run: apiRunOf(each) } });
  }

  /** The id of an event: number of steps sent, and a digest of their ids. */
  const cursor = () => `${sent}.${digest.copy().digest("hex").slice(0, 12)}`;

  function reset(reason: string): void {
    sent = 0;
    digest = createHash("sha256");
    ready.push({ event: "reset", id: cursor(), data: { reason } });
  }

  /** Continues after the steps of an event id; false: the run does not begin with those steps. */
  async function resumeAfter(given: string): Promise<boolean> {
    const [count = ""] = given.split(".");
    if (!/^[0-9]{1,9}$/.test(count)) return false;
    while (sent < Number(count)) {
      const order = changes.order(tenant, run, sent, Math.min(MOST_AT_ONCE, Number(count) - sent));
      if (order === null || order.total < Number(count)) return false;
      for (const id of order.ids) digest.update(id);
      sent += order.ids.length;
      await nextTurn();
    }
    return cursor() === given;
  }

  async function finish(): Promise<void> {
    const sealed = await catalog.get(tenant, run);
    over = true;
    ready.push(sealed ? { event: "sealed", data: { run: apiRunOf(sealed) } } : { event: "gone", data: { run } });
  }

  return {
    async next() {
      for (;;) {
        if (ended) return null;
        const event = ready.shift();
        if (event) return event;
        if (over) return null;
        await look();
        if (ready.length > 0) continue;
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, lookMs).unref();
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    end() {
      ended = true;
      wake();
    },
  };
}
