import { rmSync } from "node:fs";
import { join } from "node:path";
import { warnOnce } from "@reenact/capture/recorder";
import { readCursor, removeCursor } from "../spool/cursor.ts";
import { isCollector, type Target, targetKey } from "../spool/target.ts";
import { type StoreLayout, storeLayout } from "../config/store-layout.ts";
import { type Follower, followSpool } from "./follow-spool.ts";
import { openLink, type Trouble } from "./link.ts";
import { makeRoom } from "./make-room.ts";
import { Over, type SenderData, type SenderEnding } from "./sender.ts";
import { waitFor } from "./wait-for.ts";

const LOOK_MS = 100;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 60_000;
/** A lasting problem is reported while the process runs; a shorter one at its end. */
const LASTS_MS = 10_000;
/** What took so long to fail is not tried again when the process ends. */
const SLOW_MS = 500;
/** Files of earlier processes are sent once this one is under way. */
const LEFT_MS = 2000;
const LEFT_AGAIN_MS = 300_000;

interface Way {
  readonly follower: Follower;
  trouble: Trouble | null;
  /** since when it is in trouble, and how long the last attempt took */
  since: number;
  took: number;
  /** its attempts, one after another */
  busy: Promise<void>;
}

export interface RunningSender {
  /** it has ended, and reported what was left; never rejects */
  readonly over: Promise<void>;
  /** Sends what the spool holds by now, once: what is in trouble is not tried again. Never rejects. */
  flush(): Promise<void>;
}

/** Follows the spool of a process until `ending`, then sends the rest and reports what was left. */
export function runSender(data: SenderData, ending: Promise<SenderEnding>): RunningSender {
  const layout = storeLayout(data.store);
  const ways = data.destinations.map((each): Way => ({
    follower: followSpool(layout, data.instance, openLink(each, data.store)),
    trouble: null,
    since: 0,
    took: 0,
    busy: Promise.resolve(),
  }));
  const stop = new AbortController();
  return {
    over: followUntil(ending, { data, layout, ways, stop }),
    flush: async () => void (await Promise.all(ways.map((way) => attempt(way, stop.signal)))),
  };
}

interface Following {
  readonly data: SenderData;
  readonly layout: StoreLayout;
  readonly ways: readonly Way[];
  readonly stop: AbortController;
}

async function followUntil(ending: Promise<SenderEnding>, { data, layout, ways, stop }: Following): Promise<void> {
  const end = new AbortController();
  const loops = ways.map((way) => goOn(way, () => tidy(layout, ways, data.launched), end.signal, stop.signal));
  const left = earlierFiles(layout, data, ways, end.signal);
  const { runs, withinMs } = await ending;
  const until = performance.now() + withinMs;
  const alarm = setTimeout(() => stop.abort(), withinMs - 50);
  end.abort();
  await Promise.all(loops);
  await Promise.all(ways.map((way) => finish(way, until, stop.signal)));
  clearTimeout(alarm);
  tidy(layout, ways, data.launched);
  // a process that has waited for too long has told by itself that something is left
  const tells = Atomics.compareExchange(data.over, 0, Over.no, Over.telling) === Over.no;
  for (const { follower, trouble } of ways) {
    const { spans, why } = follower.link.refused;
    if (spans > 0) warnOnce(`refused:${urlOf(follower)}`, refusedLine(follower, spans, why));
    if (!follower.done && tells) warnOnce(`left:${urlOf(follower)}`, leftLine(runs, follower, trouble, layout));
    follower.close();
  }
  Atomics.store(data.over, 0, Over.yes);
  Atomics.notify(data.over, 0);
  await left;
}

/** One destination's life until the end: looks for what has come, and waits longer where it is in trouble. */
async function goOn(way: Way, tidied: () => void, end: AbortSignal, stop: AbortSignal): Promise<void> {
  for (let failures = 0; !end.aborted;) {
    const before = way.follower.finished.size;
    await attempt(way, stop);
    if (way.follower.finished.size > before) tidied();
    failures = way.trouble === null ? 0 : failures + 1;
    if (way.trouble !== null && performance.now() - way.since > LASTS_MS) tell(way, way.trouble);
    const backoff = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(failures - 1, 10)) * (0.8 + Math.random() * 0.4);
    await waitFor(way.trouble === null ? LOOK_MS : (way.trouble.after ?? backoff), end);
  }
}

function attempt(way: Way, stop: AbortSignal): Promise<void> {
  return (way.busy = way.busy.then(() => attemptNow(way, stop)));
}

/** Never rejects. */
async function attemptNow(way: Way, stop: AbortSignal): Promise<void> {
  const before = way.trouble;
  const began = performance.now();
  try {
    way.trouble = await way.follower.step(stop);
  } catch (error) {
    way.trouble = { kind: "setting", why: error instanceof Error ? error.message : String(error), after: null };
  }
  way.took = performance.now() - began;
  if (before === null) way.since = began;
}

/** The spool is closed: sends what is left, as far as the time allows and no destination refuses it. */
async function finish(way: Way, until: number, stop: AbortSignal): Promise<void> {
  if (way.trouble !== null && way.took > SLOW_MS) return;
  for (let wait = 20; !stop.aborted; wait *= 2) {
    const asked = way.trouble?.kind === "busy" ? (way.trouble.after ?? wait) : 0;
    if (performance.now() + asked > until) return;
    await waitFor(asked, stop);
    await attempt(way, stop);
    if (way.trouble === null ? way.follower.done : way.trouble.kind !== "busy") return;
    if (way.trouble === null) await waitFor(wait, stop);
  }
}

/**
 * A file that all have, and that the local store need not have, goes. `launched`: the newest one stays, for whoever
 * started this process and tells where its runs went.
 */
function tidy(layout: StoreLayout, ways: readonly Way[], launched: boolean): void {
  if (!ways.some(({ follower }) => isCollector(follower.link.destination.target))) return;
  const [first, ...others] = ways.map(({ follower }) => follower.finished);
  for (const stem of first ?? []) {
    if (!others.every((each) => each.has(stem)) || readCursor(layout, stem).local) continue;
    if (launched && ways.some(({ follower }) => follower.current === stem)) continue;
    try {
      rmSync(join(layout.spool, `${stem}.spool`), { force: true });
      removeCursor(layout, stem);
    } catch {
      // it is sent again by the next process, which changes nothing
    }
  }
}

/** What earlier processes have left for the same destinations, and room in the spool. */
async function earlierFiles(
  layout: StoreLayout,
  { instance, destinations }: SenderData,
  ways: readonly Way[],
  end: AbortSignal,
): Promise<void> {
  for (let wait = LEFT_MS; !end.aborted; wait = LEFT_AGAIN_MS) {
    try {
      const { runs } = makeRoom(layout, instance);
      if (runs > 0) warnOnce("room", droppedLine(runs, layout));
      await waitFor(wait, end);
      if (end.aborted) return;
      const works = new Set(
        ways
          .filter(({ trouble }) => trouble === null)
          .map(({ follower }) => targetKey(follower.link.destination.target)),
      );
      const only = (target: Target): boolean => works.has(targetKey(target));
      // apart: a short program never needs it
      const { shipSpools } = await import("./ship-spools.ts");
      await shipSpools(layout, { known: destinations, only, except: instance, waitBudgetMs: 0, signal: end });
    } catch {
      await waitFor(wait, end); // they wait for the next process, or for `reenact ship`
    }
  }
}

function droppedLine(runs: number, { spool }: StoreLayout): string {
  return `${runs} recorded ${runs === 1 ? "run was" : "runs were"} dropped: the spool in ${spool} was full of runs that no destination accepts`;
}

function tell({ follower }: Way, trouble: Trouble): void {
  warnOnce(
    `send:${urlOf(follower)}`,
    `nothing can be sent to ${urlOf(follower)}: ${trouble.why}; it is kept, and sent when that has changed`,
  );
}

function leftLine(runs: number, follower: Follower, trouble: Trouble | null, { folder, spool }: StoreLayout): string {
  const what = runs === 1 ? "1 run is" : `${runs} runs are`;
  const why = trouble?.why ?? "there was no time for all of it";
  return `${what} not sent to ${urlOf(follower)}: ${why}; kept in ${spool}. Next: reenact ship --store ${folder}`;
}

function refusedLine(follower: Follower, spans: number, why: string): string {
  const kept = isCollector(follower.link.destination.target) ? "; the run is kept in the local store" : "";
  return `${urlOf(follower)} refuses ${spans === 1 ? "1 span" : `${spans} spans`}: ${why}${kept}`;
}

const urlOf = (follower: Follower): string => follower.link.destination.target.url;
