import { type Delivery, originals } from "@reenact/capture/recorder";
import { type JournalEvent, JournalWriter, parseJournal } from "@reenact/envelope";
import fc from "fast-check";
import { expect, test } from "vitest";
import { JournalTape } from "../tape/journal-tape.ts";
import type { GateReport } from "./gate-hooks.ts";
import { ReplayGate } from "./replay-gate.ts";

/** Far more turns than any test here has deliveries. */
async function idle(): Promise<void> {
  for (let i = 0; i < 40; i++) await new Promise<void>((resolve) => void originals.setImmediate(() => resolve()));
}

const answer = (id: number): JournalEvent => ({ k: "h", id, scope: -1 });
const start = (id: number): JournalEvent => ({ k: "s", id, scope: -1 });

interface Bench {
  gate: ReplayGate;
  /** ids in the order of their delivery */
  fired: number[];
  reports: GateReport[];
  exhausted: number;
  written: JournalWriter;
  offer(id: number, more?: Partial<Delivery>): void;
}

function bench(
  events: JournalEvent[],
  { complete = true, free = new Set<number>(), begun = 0, lost = -1, endsByItself = false } = {},
): Bench {
  const isLost = (event: JournalEvent): boolean => event.k === "h" && event.id === lost;
  const written = new JournalWriter();
  const made: Bench = {
    fired: [],
    reports: [],
    exhausted: 0,
    written,
    gate: new ReplayGate(new JournalTape(events, new Set()), written, free, {
      drained: false,
      endsByItself,
      enterRun: (fn) => fn(),
      diverged: (report) => void made.reports.push(report),
      exhausted: () => void made.exhausted++,
      isCutOff: (next) => !complete && (next === undefined || isLost(next)),
      begun: () => begun,
      timerOf: (_, recorded) => recorded,
      unrecorded: () => undefined,
      mayDeliver: () => true,
    }),
    offer(id, more = {}) {
      const fire = (): void => void made.fired.push(id);
      made.gate.offer({ kind: "h", id, part: 0, scope: -1, dead: () => false, referenced: () => true, fire, ...more });
    },
  };
  return made;
}

test("deliveries come in recorded order, whatever order they are offered in", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.shuffledSubarray([...Array(8).keys()], { minLength: 8 }),
      fc.shuffledSubarray([...Array(8).keys()], { minLength: 8 }),
      async (recorded, offered) => {
        const b = bench([...recorded.map(start), ...recorded.map(answer)]);
        for (const id of recorded) b.gate.started(id);
        for (const id of offered) b.offer(id);
        await idle();
        expect(b.fired).toEqual(recorded);
        expect(parseJournal(b.written.cut().events)).toEqual(recorded.map(answer));
        b.gate.close();
      },
    ),
    { numRuns: 50 },
  );
});

test("one delivery per turn", async () => {
  const b = bench([start(0), start(1), answer(0), answer(1)]);
  b.gate.started(0);
  b.gate.started(1);
  const order: string[] = [];
  const chain = async (name: string): Promise<void> => {
    for (let i = 0; i < 3; i++) {
      order.push(`${name}${i}`);
      await Promise.resolve();
    }
  };
  b.offer(1, { fire: () => void chain("b") });
  b.offer(0, { fire: () => void chain("a") });
  await idle();
  expect(order).toEqual(["a0", "a1", "a2", "b0", "b1", "b2"]);
  b.gate.close();
});

test("parked, the gate arms nothing: the loop may run empty", async () => {
  const b = bench([start(0), start(1), answer(1), answer(0)]);
  b.gate.started(0);
  b.offer(0);
  await idle();
  const before = b.gate.delivered;
  await idle();
  expect([b.fired, before, b.gate.delivered]).toEqual([[], 0, 0]);
  b.gate.close();
});

test("idle with something owed is told once; what is recorded comes in recorded order, then the rest by age", async () => {
  const b = bench([start(0), start(1), start(2), start(3), answer(3), answer(2), answer(0), answer(1)]);
  for (const id of [0, 1, 2]) b.gate.started(id);
  b.offer(9, { due: 5 });
  b.offer(8, { due: 2 });
  for (const id of [0, 1, 2]) b.offer(id);
  await idle();
  expect(b.fired).toEqual([]);
  b.gate.idle();
  await idle();
  b.gate.idle();
  expect(b.fired).toEqual([2, 0, 1, 8, 9]);
  expect(b.reports).toHaveLength(1);
  expect(b.reports[0]?.expected).toMatchObject({ k: "s", id: 3 });
  b.gate.close();
});

test("idle with nothing owed, or only with what would not keep a process alive, is no divergence", async () => {
  const b = bench([start(0), answer(0), answer(5)]);
  b.gate.idle();
  b.offer(3, { referenced: () => false });
  await idle();
  b.gate.idle();
  expect(b.reports).toEqual([]);
  b.gate.close();
});

test("a run that has answered and ends by itself may wait for more than its record holds, but not before the record is over", async () => {
  const b = bench([start(0), answer(0), answer(1)], { endsByItself: true });
  b.gate.started(0);
  b.offer(0);
  b.offer(5);
  await idle();
  b.gate.idle();
  expect([b.fired, b.reports.length]).toEqual([[0], 1]);
  b.gate.close();
  const over = bench([start(0), answer(0)], { endsByItself: true });
  over.gate.started(0);
  over.offer(0);
  over.offer(5);
  await idle();
  over.gate.idle();
  expect([over.fired, over.reports]).toEqual([[0], []]);
  // what a file gives it comes all the same, and what would have come at once is a divergence: code behind it may call something
  over.offer(6, { kind: "o" });
  await idle();
  expect(over.gate.mayEnd()).toBe(false);
  await idle();
  expect([over.fired, over.reports]).toEqual([[0, 6], []]);
  expect(over.gate.mayEnd()).toBe(true);
  over.offer(7, { kind: "t", atOnce: true });
  await idle();
  over.gate.idle();
  expect(over.reports).toHaveLength(1);
  over.gate.close();
});

test.each(["without an order", "in a body that runs freely"])(
  "%s, what would not keep a process alive comes while something else does, and keeps nothing alive",
  async (where) => {
    const scope = where === "without an order" ? -1 : 3;
    const b = bench([start(0), answer(0)], { free: new Set([3]) });
    b.offer(7);
    await idle();
    b.gate.idle();
    await idle();
    expect([b.gate.degraded, b.fired]).toEqual([true, [7]]);
    const ring = (): void => {
      b.fired.push(8);
      tick();
    };
    const tick = (): void => b.offer(8, { kind: "t", scope, referenced: () => false, fire: ring });
    tick();
    await idle();
    expect(b.fired.length).toBeLessThan(15);
    // the test's own time limit ends a gate that hands nothing over
    while (b.fired.length <= 5) await new Promise((resolve) => void originals.setTimeout(resolve, 5));
    b.offer(9);
    await idle();
    expect(b.fired).toContain(9);
    b.gate.close();
  },
);

test("a journal whose next value was lost with its process says that there is no more", async () => {
  const events = [start(0), start(1), answer(0), answer(1)];
  const b = bench(events, { complete: false, lost: 0 });
  b.gate.started(0);
  b.gate.started(1);
  b.offer(1);
  await idle();
  b.gate.idle();
  expect([b.fired, b.exhausted, b.reports]).toEqual([[], 1, []]);
  b.gate.close();
  const open = bench(events, { complete: false });
  open.gate.started(0);
  open.gate.started(1);
  open.offer(0, { open: true });
  await idle();
  expect([open.fired, open.exhausted, open.reports]).toEqual([[], 1, []]);
  open.gate.close();
});

test("a journal that was cut off and is over says that there is no more", async () => {
  const b = bench([start(0), answer(0)], { complete: false });
  b.gate.started(0);
  b.offer(0);
  b.offer(1);
  await idle();
  b.gate.idle();
  expect([b.fired, b.exhausted, b.reports]).toEqual([[0], 1, []]);
  b.gate.close();
});

test("what is dead is never delivered, and the next one goes on behind it", async () => {
  const b = bench([start(0), start(1), answer(1)]);
  b.gate.started(0);
  b.gate.started(1);
  b.offer(0, { dead: () => true });
  b.offer(1);
  await idle();
  expect(b.fired).toEqual([1]);
  b.gate.close();
});

test("a native wake-up is waited for at its place; one that comes early is counted", async () => {
  const wake: JournalEvent = { k: "f", label: "ZLIB#1", scope: -1 };
  const late = bench([start(0), wake, answer(0)]);
  late.gate.started(0);
  late.offer(0);
  await idle();
  expect(late.fired).toEqual([]);
  late.gate.nativeWakeup("ZLIB#1", -1);
  await idle();
  expect([late.fired, late.gate.earlyWakes]).toEqual([[0], 0]);
  late.gate.close();
  const early = bench([start(0), answer(0), wake, start(1), answer(1)]);
  early.gate.nativeWakeup("ZLIB#1", -1);
  early.gate.started(0);
  early.offer(0);
  await idle();
  early.gate.started(1);
  early.offer(1);
  await idle();
  expect([early.fired, early.gate.earlyWakes]).toEqual([[0, 1], 1]);
  early.gate.close();
});

test("deliveries of a body that runs freely come when they come, and those of a body that has ended are not waited for", async () => {
  const b = bench([start(0), { k: "t", id: 0, scope: 7 }, answer(0)], { free: new Set([4]) });
  b.gate.started(0);
  b.offer(0);
  b.offer(30, { scope: 4 });
  await idle();
  expect(b.fired).toEqual([30]);
  b.gate.drop(7);
  await idle();
  expect(b.fired).toEqual([30, 0]);
  b.gate.close();
});

test("what a body that has ended left behind and is still under way is waited for", async () => {
  const behind = (id: number): JournalEvent => ({ k: "o", id, scope: 7 });
  // the second one of the record was never begun here
  const b = bench([start(0), behind(0), behind(1), answer(0)], { begun: 1 });
  b.gate.started(0);
  b.gate.drop(7);
  b.offer(0);
  await idle();
  // it is no idle agent that waits for it, however slow it is
  const slow = b.gate.waitBudget;
  expect([b.fired, b.gate.waits]).toEqual([[], true]);
  b.offer(20, { kind: "o", id: 0, scope: 7 });
  await idle();
  expect([b.fired, b.gate.waits]).toEqual([[20, 0], false]);
  expect(slow).toBeGreaterThan(b.gate.waitBudget);
  b.gate.close();
});

test("intervals are counted over deliveries, also where order is lost", async () => {
  const b = bench([start(0), start(1), start(2), answer(2), answer(0), answer(1)]);
  b.gate.started(0);
  b.gate.started(1);
  const intervals: number[] = [];
  for (const id of [1, 0]) b.offer(id, { fire: () => void intervals.push(b.gate.interval) });
  await idle();
  b.gate.idle();
  await idle();
  expect(intervals).toEqual([2, 3]);
  b.gate.close();
});

const done = (id: number): JournalEvent => ({ k: "o", id, scope: -1 });

test("an operation more comes where nothing else can, and the order of the rest holds", async () => {
  const b = bench([start(0), answer(0), done(0), start(1), answer(1)]);
  b.gate.started(0);
  b.offer(0);
  await idle();
  // 0 is another one than recorded, 1 the recorded one
  b.offer(100, { kind: "o", id: 0 });
  await idle();
  b.offer(101, { kind: "o", id: 1 });
  await idle();
  expect(b.fired).toEqual([0, 100]);
  b.gate.idle();
  await idle();
  expect(b.fired).toEqual([0, 100, 101]);
  b.gate.started(1);
  b.offer(1);
  await idle();
  expect(b.fired).toEqual([0, 100, 101, 1]);
  expect(b.gate.otherOperations).toBe(1);
  expect(b.reports).toEqual([]);
  b.gate.close();
});

test("an operation less, and a native wake-up that does not come, are passed over where nothing else can happen", async () => {
  const b = bench([start(0), done(0), { k: "f", label: "BLOBREADER#1", scope: -1 }, answer(0)]);
  b.gate.started(0);
  b.offer(0);
  await idle();
  expect(b.fired).toEqual([]);
  for (let i = 0; i < 2; i++) {
    b.gate.idle();
    await idle();
  }
  expect(b.fired).toEqual([0]);
  expect(b.gate.otherOperations).toBe(2);
  expect(b.reports).toEqual([]);
  b.gate.close();
});

test("an operation that completes before its recorded place, since nothing else can happen, is not expected again", async () => {
  const b = bench([start(0), answer(0), start(1), answer(1), done(0), done(1)]);
  b.gate.started(0);
  b.offer(0);
  await idle();
  b.offer(100, { kind: "o", id: 0 });
  await idle();
  b.gate.idle();
  await idle();
  b.gate.started(1);
  b.offer(1);
  b.offer(101, { kind: "o", id: 1 });
  await idle();
  expect(b.fired).toEqual([0, 100, 1, 101]);
  expect(b.gate.unreached()).toEqual([]);
  b.gate.close();
});
