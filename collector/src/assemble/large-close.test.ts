import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, expect, test, vi } from "vitest";
import { createMemoryJournal } from "../journal/memory-journal.test.fixture.ts";
import { ENTRY_KIND, JOURNAL_START } from "../journal/journal.ts";
import { createAssembler } from "./assembler.ts";
import { Pages } from "./pages.ts";
import { requestOf, sampleRun, type SampleSpan } from "./sample-spans.test.fixture.ts";
import type { SealJob } from "./seal-job.ts";
import { SLICE } from "./slices.ts";

const STEPS = 10 * SLICE;
/** Numbers of the table that one span is: no turn looks at more than two slices of spans. */
const MOST_READ = 2 * SLICE * 12;

afterEach(() => vi.restoreAllMocks());

/** An assembler that has all steps of a run but no root, and the most numbers that it reads of its table in one turn. */
async function withSteps(root: "complete" | "one missing") {
  const journal = createMemoryJournal();
  const sealed: SealJob[] = [];
  /** how many each of them has */
  const spans: number[] = [];
  let time = Date.now();
  const assembler = createAssembler({
    journal,
    seal: async (job) => {
      spans.push((await job.columns()).id.length);
      sealed.push(job);
    },
    runsOfTrace: async () => [],
    mark: async () => true,
    now: () => time,
    elapsed: () => time,
  });
  const running = assembler.run(JOURNAL_START);
  const send = (spans: readonly SampleSpan[]) =>
    journal.append({ tenant: "acme", kind: ENTRY_KIND.traces, receivedAt: time, body: requestOf(spans) });
  const run = sampleRun(1, { steps: STEPS, text: () => "" });
  const kept = root === "complete" ? run.steps : run.steps.slice(1);
  for (let at = 0; at < kept.length; at += 500) await send(kept.slice(at, at + 500));
  await expect.poll(() => assembler.counts().spans).toBe(kept.length);

  let reads = 0;
  let most = 0;
  const plain = Pages.prototype.get;
  vi.spyOn(Pages.prototype, "get").mockImplementation(function (this: Pages<Uint32Array>, at) {
    reads++;
    return plain.call(this, at);
  });
  const watch = async (until: () => boolean) => {
    while (!until()) {
      most = Math.max(most, reads);
      reads = 0;
      await nextTurn();
    }
    return Math.max(most, reads);
  };
  return {
    assembler,
    sealed,
    spans,
    sendRoot: () => send([run.root]),
    watch,
    pass: (ms: number) => {
      time += ms;
      assembler.tick();
    },
    async stop() {
      await assembler.stop();
      await running;
    },
  };
}

test("a large run that is whole is closed and forgotten in slices, between which others get their turn", async () => {
  const { assembler, sealed, spans, sendRoot, watch, stop } = await withSteps("complete");
  await sendRoot();
  const most = await watch(() => sealed.length === 1 && assembler.counts().spans === 0);
  expect(most).toBeGreaterThan(SLICE);
  expect(most).toBeLessThan(MOST_READ);
  expect([sealed[0]!.reason, spans]).toEqual(["complete", [STEPS + 1]]);
  await stop();
});

test("so is one that lacks a step, of which the graph is looked at once it is quiet", async () => {
  const { assembler, sealed, spans, sendRoot, watch, pass, stop } = await withSteps("one missing");
  await sendRoot();
  await watch(() => assembler.counts().spans === STEPS);
  pass(6_000);
  const most = await watch(() => sealed.length === 1 && assembler.counts().spans === 0);
  expect(most).toBeGreaterThan(SLICE);
  expect(most).toBeLessThan(MOST_READ);
  expect([sealed[0]!.reason, spans]).toEqual(["ended", [STEPS]]);
  await stop();
});

test("a span that comes while a large run is looked at is in what is sealed", async () => {
  const { assembler, spans, sendRoot, watch, stop } = await withSteps("complete");
  await sendRoot();
  await watch(() => assembler.counts().spans === STEPS + 1);
  await sendRoot();
  await watch(() => spans.length > 0 && assembler.counts().spans === 0);
  expect(spans).toEqual([STEPS + 2]);
  await stop();
});
