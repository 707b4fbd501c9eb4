import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { type SampleRun, sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import { ENTRY_KIND } from "../journal/journal.ts";
import { createOpenFacts } from "../query/open-facts.ts";
import { createOpenRuns } from "../query/open-runs.ts";
import { createRunKeeper } from "../retain/run-keeper.ts";
import { encodeMarkChange } from "../retain/mark-entry.ts";
import { type Mark, newMarkId } from "../retain/mark.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { StoreError } from "../store/store-error.ts";
import { openWorkbench, type Workbench, type WorkbenchOptions } from "./workbench.test.fixture.ts";

const ROUNDS: Readonly<Record<string, number>> = { small: 4, ci: 20, full: 200 };
const rounds = ROUNDS[process.env["TEST_SCALE"] ?? "small"] ?? 4;
let bench: Workbench;
const open = async (options?: WorkbenchOptions) => (bench = await openWorkbench(options));
afterEach(() => bench.close());

const rowsNow = () => createOpenRuns(createOpenFacts(bench.assembler, bench.sealing), bench.journal).rows("acme");
const catalogRow = ({ run }: SampleRun) => bench.catalog.get("acme", run);
let said = 0;
const ID = expect.stringMatching(/^[0-9a-f]{16}$/) as string;

/** As the API does it. */
async function say(run: SampleRun, mark: Omit<Mark, "id" | "at">): Promise<boolean> {
  const row = (await catalogRow(run)) ?? (await rowsNow()).find((each) => each.run === run.run);
  if (!row) throw new Error("nothing is known of the run");
  const keeper = createRunKeeper({ ...bench, waiting: () => [], isShared: false });
  const { applied } = await keeper.mark(row, { id: newMarkId(), ...mark, at: bench.time + said++ });
  bench.sent = null;
  return applied;
}

test("a mark of an open run is shown, survives a crash, and decides the run's class when it is sealed", async () => {
  await open();
  const [kept, flagged] = [sampleRun(1), sampleRun(2)];
  await bench.send([...kept.steps, ...flagged.steps]);
  await bench.settled();
  expect(await say(kept, { kind: "flag", name: "ticket 4711", pinned: true })).toBe(false);
  expect(await say(flagged, { kind: "flag", name: "wrong row" })).toBe(false);
  const shown = async () => new Set((await rowsNow()).flatMap(({ flags }) => flags));
  await expect.poll(shown).toEqual(new Set(["ticket 4711", "wrong row"]));
  await bench.crash();
  await bench.send([kept.root, flagged.root]);
  await bench.pass(0);
  expect(await catalogRow(kept)).toMatchObject({ class: "keep", rule: "pinned", flags: ["ticket 4711"], revision: 0 });
  expect(await catalogRow(flagged)).toMatchObject({ class: "keep", rule: "flagged", flags: ["wrong row"] });
  expect((await bench.envelope(kept.run))?.header.class).toBe("keep");
  const marksOf = async (run: SampleRun) => {
    const keeper = createRunKeeper({ ...bench, waiting: () => [], isShared: false });
    return (await keeper.marksOf((await catalogRow(run))!)).marks;
  };
  expect(await marksOf(kept)).toEqual([
    { id: ID, kind: "flag", name: "ticket 4711", pinned: true, at: expect.any(Number) as number },
  ]);
  await say(flagged, { kind: "flag", name: "again", by: "alice" });
  expect((await marksOf(flagged)).map(({ name, by }) => [name, by])).toEqual([
    ["wrong row", undefined],
    ["again", "alice"],
  ]);
  expect(bench.assembler.share.cursor()).toEqual(bench.journal.durable());
  // it is still pinned, and flagged once, when late spans make the next revision
  await bench.send(sampleRun(1, { text: () => "late" }).steps.slice(0, 1));
  await bench.pass(600_000);
  expect(await catalogRow(kept)).toMatchObject({ class: "keep", rule: "pinned", flags: ["ticket 4711"], revision: 1 });
});

test("a run that is sealed and not packed is shown as sealed; a mark that it gets then is in its row and its pack", async () => {
  await open();
  const run = sampleRun(3);
  await bench.send([...run.steps, run.root]);
  await bench.settled();
  await expect.poll(async () => (await rowsNow())[0]?.state).toBe("sealed");
  const [row] = await rowsNow();
  expect(row).toMatchObject({ run: run.run, complete: true, status: "ok", class: "short", parts: [] });
  expect(createOpenFacts(bench.assembler, bench.sealing).frames("acme", run.run)).toHaveLength(3);
  expect(await say(run, { kind: "flag", name: "seen too late" })).toBe(false);
  await expect.poll(rowsNow).toMatchObject([{ flags: ["seen too late"], class: "short", parts: [] }]);
  await bench.pass(0);
  await expect.poll(() => catalogRow(run)).toMatchObject({ class: "keep", flags: ["seen too late"] });
  expect(createOpenFacts(bench.assembler, bench.sealing).frames("acme", run.run)).toBeNull();
  expect((await bench.envelope(run.run))?.header.class).toBe("keep");
  await expect.poll(() => bench.assembler.share.cursor()).toEqual(bench.journal.durable());
});

test("a mark of a run as soon as it is in the catalog is in its row with the answer", async () => {
  await open();
  const run = sampleRun(6);
  const apply = bench.catalog.apply.bind(bench.catalog);
  const answer = Promise.withResolvers<boolean>();
  bench.catalog.apply = async (change) => {
    await apply(change);
    const rows = change.upsert ?? [];
    if (rows.some(({ row }) => row.run === run.run && row.flags.length === 0))
      setImmediate(() => answer.resolve(say(run, { kind: "flag", name: "wrong row" })));
  };
  await bench.send([...run.steps, run.root]);
  await bench.pass(0);
  expect(await answer.promise).toBe(true);
  expect(await catalogRow(run)).toMatchObject({ class: "keep", flags: ["wrong row"] });
});

test("a mark that comes while a later revision is being sealed is not lost with the earlier one", async () => {
  await open();
  const run = sampleRun(4);
  await bench.send([...run.steps.slice(0, 2), run.root]);
  await bench.pass(5_000);
  expect(await say(run, { kind: "flag", name: "before" })).toBe(true);
  await bench.send(run.steps.slice(2));
  await bench.settled();
  bench.time += 600_000;
  bench.assembler.tick();
  await expect.poll(() => bench.sealing.counts().waiting).toBe(1);
  expect(await say(run, { kind: "flag", name: "meanwhile" })).toBe(false);
  await bench.pass(0);
  await expect.poll(() => catalogRow(run)).toMatchObject({ revision: 1, flags: ["before", "meanwhile"] });
});

test(
  `at whatever moment it crashes (${rounds} times), what was taken is there in the end, once`,
  { timeout: 300_000 },
  async () => {
    const log: string[] = [];
    await open({ log: (_level, event) => void log.push(event) });
    for (let round = 0; round < rounds; round++) {
      const run = sampleRun(100 + round);
      await bench.send(run.steps);
      await bench.settled();
      await say(run, { kind: "flag", name: "one" });
      if (round % 2 === 0) await bench.send([run.root]);
      if (round % 3 === 0) await bench.settled();
      const more = say(run, { kind: "score", name: "quality", value: 0 }).then(() =>
        say(run, { kind: "flag", name: "two" }),
      );
      if (round % 4 < 2) await bench.pass(0, 20 * (round % 4));
      const taken = await more.then(
        () => ["one", "two"],
        () => ["one"],
      );
      await bench.crash();
      // for half of them once more: then `pass` knows what the assembler has to have read
      await bench.send([run.root]);
      await bench.pass(0);
      await expect.poll(() => catalogRow(run), { timeout: 5_000 }).toMatchObject({ class: "keep", flags: taken });
    }
    expect(log.filter((event) => event.includes("not-marked"))).toEqual([]);
  },
);

test("after a crash between the write of the pack and that of the row, both have the flag", async () => {
  let dead = false;
  let restarted = false;
  await open({
    point(name) {
      // a try of the former process that is under way would end in the next one
      if (name === "before store.put" && !restarted) dead = true;
      if (dead && name === "before catalog.apply") throw new Error("it has crashed");
    },
  });
  const run = sampleRun(7);
  await bench.send(run.steps);
  await bench.settled();
  await say(run, { kind: "flag", name: "one" });
  await bench.send([run.root]);
  await bench.pass(0);
  expect(await catalogRow(run)).toMatchObject({ class: "keep", flags: ["one"] });
  await journaled(run, "two");
  await expect.poll(() => dead).toBe(true);
  await bench.crash(() => {
    restarted = true;
    dead = false;
  });
  await bench.settled();
  await expect.poll(() => catalogRow(run)).toMatchObject({ class: "keep", flags: ["one", "two"] });
});

const journaled = async ({ run }: SampleRun, name: string) => {
  const body = encodeMarkChange(run, { id: newMarkId(), kind: "flag", name, at: bench.time });
  bench.sent = await bench.journal.append({ tenant: "acme", kind: ENTRY_KIND.mark, receivedAt: 1, body });
};

test("a flag whose write is retried is in a revision that is sealed meanwhile", async () => {
  let puts = 0;
  const [refused, sealed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await open({
    async point(name) {
      if (name !== "before store.put") return;
      if (puts++ === 0) {
        refused.resolve();
        throw new StoreError("UNAVAILABLE", "put", "made for this test");
      }
      await Promise.race([sealed.promise, pause(1_000)]);
    },
  });
  const run = sampleRun(9);
  await bench.send([...run.steps.slice(0, 2), run.root]);
  await bench.pass(5_000);
  await journaled(run, "tried twice");
  await refused.promise;
  await bench.send(run.steps.slice(2));
  await bench.pass(600_000, 500);
  sealed.resolve();
  await bench.pass(0);
  await expect.poll(() => catalogRow(run)).toMatchObject({ class: "keep", revision: 1, flags: ["tried twice"] });
});

test("a flag that is read from the journal while late spans are open is in the row at once", async () => {
  await open();
  const run = sampleRun(10);
  await bench.send([...run.steps.slice(0, 2), run.root]);
  await bench.pass(5_000);
  await bench.send(run.steps.slice(2));
  await bench.settled();
  await journaled(run, "wrong row");
  await expect.poll(() => catalogRow(run)).toMatchObject({ class: "keep", revision: 0, flags: ["wrong row"] });
  await bench.pass(600_000);
  expect(await catalogRow(run)).toMatchObject({ class: "keep", revision: 1, flags: ["wrong row"] });
  expect(bench.assembler.share.cursor()).toEqual(bench.journal.durable());
});

test("a pack that is rewritten while one of its runs is sealed again loses no span and no flag", async () => {
  const memory = createMemoryStore();
  let beforeRead: (() => Promise<void>) | null = null;
  await open({
    store: {
      ...memory,
      async getRange(...range) {
        const first = beforeRead;
        beforeRead = null;
        await first?.();
        return memory.getRange(...range);
      },
    },
  });
  const large = sampleRun(11, { steps: 12, text: () => randomBytes(20_000).toString("hex") });
  const small = sampleRun(12);
  await bench.send([...large.steps.slice(1), ...small.steps.slice(1)]);
  for (const run of [large, small]) {
    await bench.settled();
    await say(run, { kind: "flag", name: "wrong row" });
  }
  await bench.send([large.root, small.root]);
  await bench.pass(600_000);
  await bench.send(large.steps.slice(0, 1));
  await bench.pass(600_000);
  const key = (await catalogRow(small))!.parts[0]!.key;
  await bench.send(small.steps.slice(0, 1));
  beforeRead = () => bench.sealing.prune(true);
  await bench.pass(600_000);
  expect(await memory.head(key)).toBeNull();
  expect(await catalogRow(small)).toMatchObject({ class: "keep", revision: 1, flags: ["wrong row"] });
  expect((await bench.envelope(small.run))?.spans).toHaveLength(4);
});

test("of a run that is gone it is told and given up; trouble of the store is waited out", async () => {
  const log: string[] = [];
  await open({ log: (_level, event) => void log.push(event) });
  const mark: Mark = { id: newMarkId(), kind: "flag", name: "x", at: 1 };
  const note = async (id: string) => {
    const body = encodeMarkChange(id, mark);
    bench.sent = await bench.journal.append({ tenant: "acme", kind: ENTRY_KIND.mark, receivedAt: 1, body });
  };
  await note("7".repeat(32));
  await bench.settled();
  await expect.poll(() => log).toContain("retain.not-marked");
  const run = sampleRun(5);
  await bench.send([...run.steps, run.root]);
  await bench.pass(0);
  const put = bench.store.put.bind(bench.store);
  let refuse = 2;
  bench.store.put = (...given) =>
    refuse-- > 0 ? Promise.reject(new StoreError("UNAVAILABLE", "put", "made for this test")) : put(...given);
  await note(run.run);
  await expect.poll(() => catalogRow(run), { timeout: 5_000 }).toMatchObject({ class: "keep", flags: ["x"] });
  expect(log).toContain("retain.waits-for-store");
  await expect.poll(() => bench.assembler.share.cursor()).toEqual(bench.journal.durable());
});
