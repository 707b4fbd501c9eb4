import { hash } from "node:crypto";
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
 * `step` for each step as it arrives, in the order of arrival; `run` with the run's row behind them; `sealed` with the row once
 * the run lies in a pack, or `gone`, as the last one. `reset`: what was given before is not all of it, read the tree again. An id
 * says how many steps a client has, and which, so that it goes on behind them, whichever process answers.
 */
export function stepEvents(
  { catalog, changes, open, lookMs = LOOK }: StepEventsDeps,
  { tenant, run, last }: { tenant: string; run: string; last: string | undefined },
): EventSource {
  const ready: LiveEvent[] = [];
  let sent = 0;
  let wanted = last;
  let over = false;
  let ended = false;
  let wake = () => {};
  let row = true;

  async function look(): Promise<void> {
    const order = changes.order(tenant, run);
    if (order === null) return finish();
    if (wanted !== undefined) {
      const [count = "", digest] = wanted.split(".");
      wanted = undefined;
      const known = /^[0-9]{1,9}$/.test(count) ? Number(count) : Number.POSITIVE_INFINITY;
      if (known <= order.length && idOf(order.slice(0, known)) === digest) sent = known;
      else
        ready.push({ event: "reset", id: `0.${idOf([])}`, data: { reason: "it is not known what was given before" } });
    }
    if (order.length < sent) {
      sent = 0;
      ready.push({ event: "reset", id: `0.${idOf([])}`, data: { reason: "a part of the run is sealed" } });
    }
    if (order.length > sent) {
      const lines = await open.lines(tenant, run, sent, MOST_AT_ONCE);
      if (lines === null) return;
      for (const line of lines) {
        sent++;
        ready.push({ event: "step", id: `${sent}.${idOf(order.slice(0, sent))}`, data: { step: line } });
      }
      row = true;
      return;
    }
    if (!row) return;
    row = false;
    for (const each of await open.rows(tenant, run)) ready.push({ event: "run", data: { run: apiRunOf(each) } });
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

/** Which spans they are, in their order. */
const idOf = (order: readonly { readonly id: string }[]): string =>
  hash("sha256", order.map(({ id }) => id).join("")).slice(0, 12);
