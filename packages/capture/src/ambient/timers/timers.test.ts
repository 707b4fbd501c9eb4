import { AsyncLocalStorage } from "node:async_hooks";
import timers from "node:timers";
import timersPromises from "node:timers/promises";
import { inspect, promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseJournal } from "@reenact/envelope";
import { within } from "../../run/context.ts";
import type { Delivery } from "../../source/gate.ts";
import { originals } from "../../patch/originals.ts";
import type { Run } from "../../run/run.ts";
import { left, recordingRun, replayingRun } from "../fake-replay.test.fixture.ts";
import { installTimers } from "./timers.ts";
import { sawTime } from "../clock/virtual-now.ts";

let undo: () => void;
beforeEach(() => {
  undo = installTimers();
});
afterEach(() => undo());

type Say = (line: string) => void;

/** Runs a program in a recording and in a replay of it, and gives what each has said. */
async function both(
  program: (say: Say) => Promise<unknown>,
): Promise<{ recorded: string[]; replayed: string[]; replay: Run; journal: string }> {
  const said = async (run: Run): Promise<string[]> => {
    const lines: string[] = [];
    await within(run.frame, () => program((line) => void lines.push(line)));
    return lines;
  };
  const recording = recordingRun();
  const recorded = await said(recording);
  const journal = recording.journal.cut().events;
  const replay = replayingRun(journal);
  return { recorded, replayed: await said(replay), replay, journal };
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test("timers fire in a replay in the recorded order, without sleeping", async () => {
  const program = async (say: Say): Promise<void> => {
    setTimeout((a: string) => say(a), 30, "thirty");
    setTimeout(() => say("ten"), 10);
    setImmediate(() => {
      say("immediate");
      queueMicrotask(() => say("microtask"));
      process.nextTick(() => say("tick"));
    });
    let n = 0;
    const every = setInterval(() => {
      say(`interval ${++n}`);
      if (n === 3) clearInterval(every);
    }, 12);
    await sleep(400);
    say("over");
  };
  const { recorded, replayed, replay } = await both(program);
  expect(recorded).toEqual(
    expect.arrayContaining(["immediate", "tick", "microtask", "ten", "interval 3", "thirty", "over"]),
  );
  expect(replayed).toEqual(recorded);
  expect(left(replay)).toEqual([]);
  const started = originals.performanceNow();
  const again = replayingRun((await both(program)).journal);
  const mid = originals.performanceNow();
  await within(again.frame, () => program(() => {}));
  expect(originals.performanceNow() - mid).toBeLessThan(mid - started);
});

test("an interval takes a new number for each firing", async () => {
  const { journal } = await both(async () => {
    const every = timersPromises.setInterval(1);
    for (let n = 0; n < 3; n++) await every.next();
    await every.return?.();
  });
  expect(parseJournal(journal).map((e) => ("id" in e ? `${e.k}${e.id}` : e.k))).toEqual(["v", "t0", "t1", "t2"]);
});

test("the delay of each timer is journaled once, as Node reads it; immediates have none", async () => {
  const { journal } = await both(async () => {
    clearTimeout(setTimeout(() => {}, 7.9));
    clearTimeout(setTimeout(() => {}, "12" as never));
    clearTimeout(setTimeout(() => {}));
    clearInterval(setInterval(() => {}, -5));
    clearImmediate(setImmediate(() => {}));
    AbortSignal.timeout(9000);
    await sleep(3);
  });
  const values = parseJournal(journal).flatMap((e) => (e.k === "v" && e.kind === "W" ? e.values : []));
  expect(values).toEqual([7, 12, 1, 1, 9000, 3]);
});

test("what is cleared never fires and is not journaled", async () => {
  const { recorded, replayed, journal } = await both(async (say) => {
    clearTimeout(setTimeout(() => say("never"), 1));
    clearTimeout(+setTimeout(() => say("never"), 1));
    clearImmediate(setImmediate(() => say("never")));
    clearInterval(setInterval(() => say("never"), 1));
    setTimeout(() => say("never"), 1).close();
    setTimeout(() => say("never"), 1)[Symbol.dispose]();
    clearTimeout(undefined);
    clearTimeout(99);
    clearTimeout({} as never);
    await sleep(15);
  });
  expect([recorded, replayed]).toEqual([[], []]);
  expect(parseJournal(journal).filter((e) => e.k !== "v")).toHaveLength(1);
});

test("refresh puts a timer off, and starts a fired one again", async () => {
  const { recorded, replayed } = await both(async (say) => {
    let fired = 0;
    const twice = Promise.withResolvers<void>();
    const idle = setTimeout(() => {
      say(`idle ${++fired}`);
      if (fired === 1) idle.refresh();
      else twice.resolve();
    }, 800);
    await sleep(400);
    idle.refresh();
    await sleep(500); // past the first 800, and 300 short of the refreshed: so much may a busy machine stall
    say("still waiting");
    await twice.promise;
  });
  expect(recorded).toEqual(["still waiting", "idle 1", "idle 2"]);
  expect(replayed).toEqual(recorded);
});

test("node:timers/promises, scheduler and promisify", async () => {
  const { recorded, replayed, replay } = await both(async (say) => {
    say(String(await timersPromises.setTimeout(5, "value")));
    say(String(await timersPromises.setImmediate("now")));
    await timersPromises.scheduler.wait(2);
    await timersPromises.scheduler.yield();
    say(String(await promisify(setTimeout)(1, "promisified")));
    say(String(await promisify(setImmediate)("immediate")));
    for await (const value of timersPromises.setInterval(2, "tick")) {
      say(value);
      break;
    }
    const controller = new AbortController();
    const aborted = timersPromises.setTimeout(1000, null, { signal: controller.signal }).catch((e: Error) => e);
    const interval = timersPromises
      .setInterval(1000, null, { signal: controller.signal })
      .next()
      .catch((e: Error) => e);
    setTimeout(() => controller.abort("why"), 3);
    for (const e of [await aborted, await interval] as NodeJS.ErrnoException[])
      say(`${e.name} ${e.code} ${String(e.cause)} ${e.constructor.name}`);
    const early = await timersPromises
      .setTimeout(1, null, { signal: AbortSignal.abort("early") })
      .catch((e: Error) => e);
    say(String((early as Error).cause));
    await timersPromises.setTimeout("1" as never).catch((e: NodeJS.ErrnoException) => say(String(e.code)));
    await timersPromises.setTimeout(1, 1, null as never).catch((e: NodeJS.ErrnoException) => say(String(e.code)));
  });
  expect(recorded).toEqual([
    "value",
    "now",
    "promisified",
    "immediate",
    "tick",
    "AbortError ABORT_ERR why AbortError",
    "AbortError ABORT_ERR why AbortError",
    "early",
    "ERR_INVALID_ARG_TYPE",
    "ERR_INVALID_ARG_TYPE",
  ]);
  expect(replayed).toEqual(recorded);
  expect(left(replay)).toEqual([]);
});

test("AbortSignal.timeout", async () => {
  const { recorded, replayed } = await both(async (say) => {
    const signal = AbortSignal.timeout(5);
    signal.addEventListener("abort", () => say("event"));
    say(String(signal instanceof AbortSignal));
    await sleep(30);
    const { name, message, code } = signal.reason as DOMException;
    say(`${name} ${message} ${code} ${signal.reason instanceof DOMException}`);
    try {
      AbortSignal.timeout(-1);
    } catch (error) {
      say((error as Error).name);
    }
  });
  expect(recorded).toEqual([
    "true",
    "event",
    "TimeoutError The operation was aborted due to timeout 23 true",
    "RangeError",
  ]);
  expect(replayed).toEqual(recorded);
});

test("the objects are Node's in all that can be asked of them", async () => {
  const timer = originals.setTimeout(() => {}, 1);
  const immediate = originals.setImmediate(() => {});
  const run = recordingRun();
  await within(run.frame, async () => {
    const ours = setTimeout(() => {}, 5);
    expect(ours).toBeInstanceOf(timer.constructor);
    expect(ours.constructor.name).toBe("Timeout");
    expect(inspect(ours)).toMatch(/^Timeout/);
    expect(ours.hasRef()).toBe(true);
    expect(ours.unref()).toBe(ours);
    expect(ours.hasRef()).toBe(false);
    expect(ours.ref().refresh().hasRef()).toBe(true);
    expect(typeof +ours).toBe("number");
    expect(+ours).toBe(+ours);
    clearTimeout(String(+ours));
    const oursToo = setImmediate(() => {});
    expect(oursToo).toBeInstanceOf(immediate.constructor);
    expect(oursToo.constructor.name).toBe("Immediate");
    expect(oursToo.unref().hasRef()).toBe(false);
    clearImmediate(oursToo);
  });
  for (const owner of [globalThis, timers]) {
    expect(owner.setTimeout.name).toBe("setTimeout");
    expect(owner.setTimeout.length).toBe(2);
    expect(owner.setImmediate.length).toBe(1);
  }
  expect(globalThis.setTimeout).toBe(timers.setTimeout);
  expect(() => within(run.frame, () => setTimeout({} as never, 1))).toThrow(TypeError);
});

test("in a replay a timer is due by the replayed clock", () => {
  const run = replayingRun("");
  sawTime(run, run.started + 1000);
  const delivered: (number | undefined)[] = [];
  within(run.frame, () => {
    setTimeout(() => {}, 250);
    setImmediate(() => {});
  });
  for (const delivery of (run.source.gate as unknown as { owed: Map<string, Delivery> }).owed.values())
    delivered.push(delivery.due);
  expect(delivered).toEqual([run.started + 1250, run.started + 1000]);
});

test("callbacks run with the timer as `this`, in their creator's context, and not in ours", async () => {
  const own = new AsyncLocalStorage<string>();
  const { recorded, replayed } = await both((say) =>
    own.run("mine", async () => {
      const timer = setTimeout(
        function (this: unknown, ...args: unknown[]) {
          say(`${this === timer} ${args.join()} ${own.getStore()}`);
        },
        1,
        1,
        2,
      );
      const immediate = setImmediate(function (this: unknown) {
        say(`${this === immediate} ${own.getStore()}`);
      });
      await sleep(10);
      say(String(own.getStore()));
    }),
  );
  expect(recorded.toSorted()).toEqual(["mine", "true 1,2 mine", "true mine"]);
  expect(replayed).toEqual(recorded);
});

test("outside a run, and after the undo, timers are native", async () => {
  const native = originals.setTimeout(() => {}, 1).constructor;
  const outside = setTimeout(() => {}, 1);
  expect(outside.constructor).toBe(native);
  undo();
  expect(globalThis.setTimeout).toBe(originals.setTimeout);
  expect(timers.clearImmediate).toBe(originals.clearImmediate);
  expect(timersPromises.setTimeout).toBe(originals.timersPromises.setTimeout);
  undo = installTimers();
});
