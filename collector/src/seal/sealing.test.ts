import { randomBytes } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { scanTraces } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { afterEach, expect, test, vi } from "vitest";
import { foreignSpan, sampleId, sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import { createOpenFacts } from "../query/open-facts.ts";
import { rangeOf } from "../store/object-body.ts";
import type { FileBody } from "../store/object-store.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { StoreError } from "../store/store-error.ts";
import { openWorkbench, type Workbench, type WorkbenchOptions } from "./workbench.test.fixture.ts";

let bench: Workbench;
const open = async (options?: WorkbenchOptions) => (bench = await openWorkbench(options));
afterEach(() => bench.close());

test.each([false, true])("a complete run is sealed at once and can be read; on a thread: %s", async (thread) => {
  await open({ thread });
  const run = sampleRun(1);
  await bench.send(run.steps);
  await bench.send([run.root]);
  await bench.pass(0);
  const envelope = await bench.envelope(run.run);
  expect(envelope).toMatchObject({ complete: true, incompleteReasons: [], header: { revision: 0, class: "short" } });
  expect(envelope?.spans.map(({ span }) => span.spanId)).toEqual([run.root, ...run.steps].map(({ spanId }) => spanId));
  expect(bench.assembler.counts()).toEqual({ open: 0, sealing: 0, spans: 0 });
  expect(bench.assembler.share.cursor()).toEqual(bench.journal.durable());
});

test("late spans make the next revision, whole; spans that come again make none", async () => {
  await open();
  const run = sampleRun(2);
  await bench.send([...run.steps.slice(0, 2), run.root]);
  await bench.pass(4_000);
  expect(await bench.envelope(run.run)).toBeNull();
  await bench.pass(1_000);
  const first = await bench.envelope(run.run);
  expect(first?.incompleteReasons).toEqual(["1 of 3 steps missing: 2"]);
  await bench.send(run.steps);
  await bench.pass(600_000);
  const second = await bench.envelope(run.run);
  expect(second).toMatchObject({
    complete: true,
    header: { revision: 1 },
    manifest: { previous: first?.header.content },
  });
  expect(second?.spans).toHaveLength(4);
  await bench.send([...run.steps, run.root]);
  await bench.pass(600_000);
  expect((await bench.envelope(run.run))?.header.revision).toBe(1);
  expect(bench.assembler.counts().spans).toBe(0);
});

test("a killed run is sealed after its idle time and kept", async () => {
  await open();
  const run = sampleRun(3);
  await bench.send(run.steps);
  await bench.pass(599_000);
  expect(await bench.envelope(run.run)).toBeNull();
  await bench.pass(1_000);
  expect(await bench.envelope(run.run)).toMatchObject({
    complete: false,
    header: { status: "aborted", class: "keep" },
  });
  expect(await bench.catalog.get("acme", run.run)).toMatchObject({ class: "keep", rule: "failed", status: "aborted" });
});

test("a run that is always busy is sealed after a day, and goes on", async () => {
  await open({ limits: { settleMs: 5_000, idleMs: 600_000, ageMs: 3_600_000 } });
  const run = sampleRun(4, { steps: 9 });
  for (const step of run.steps) {
    await bench.send([step]);
    await bench.pass(500_000);
  }
  const early = await bench.envelope(run.run);
  expect(early?.incompleteReasons).toContain(
    "no root span: the process died before the run ended, or spans are missing",
  );
  expect(early?.manifest.incompleteReasons).toContain("sealed after 1 h, while it was still open");
  await bench.send([run.root]);
  await bench.pass(600_000);
  expect(await bench.envelope(run.run)).toMatchObject({ complete: true });
});

test("tenants are apart, even with equal ids", async () => {
  await open();
  const run = sampleRun(5);
  await bench.send([...run.steps, run.root], "one");
  await bench.send(run.steps.slice(0, 1), "two");
  await bench.pass(0);
  expect(await bench.envelope(run.run, "one")).toMatchObject({ complete: true });
  expect(await bench.envelope(run.run, "two")).toBeNull();
});

test("a trace that others made is a run, labelled", async () => {
  await open();
  const trace = sampleId(77);
  const llm = {
    "openinference.span.kind": "LLM",
    "llm.model_name": "gpt-5",
    "llm.token_count.prompt": 7,
    "llm.token_count.completion": 3,
  };
  const agent = foreignSpan({ trace, id: 1, name: "agent", attributes: { "openinference.span.kind": "AGENT" } });
  await bench.send([foreignSpan({ trace, id: 2, parent: agent.spanId, attributes: llm, name: "chat" }), agent]);
  await bench.pass(5_000);
  const envelope = await bench.envelope(trace);
  expect(envelope).toMatchObject({
    foreign: true,
    complete: false,
    incompleteReasons: ["not replayable: no exchanges"],
    manifest: { name: "agent", status: "ok", counts: { AGENT: 1, LLM: 1 }, models: ["gpt-5"], tokens: { prompt: 7 } },
  });
});

test("spans of others in a trace with runs of ours go to the run above them, else to the first", async () => {
  await open();
  const trace = sampleId(900);
  const server = foreignSpan({ trace, id: 10, name: "POST /ask" });
  const first = sampleRun(6, { trace, above: server.spanId });
  const second = sampleRun(7, { trace, above: server.spanId });
  const below = foreignSpan({ trace, id: 12, parent: second.steps[1]!.spanId, name: "SELECT" });
  const deeper = foreignSpan({ trace, id: 13, parent: below.spanId, name: "socket" });
  await bench.send([...first.steps, below]);
  await bench.pass(10);
  await bench.send([...second.steps, second.root, first.root, deeper]);
  await bench.send([server]);
  await bench.pass(5_000);
  const names = async (run: string) => (await bench.envelope(run))?.spans.map(({ span }) => span.name).toSorted();
  expect(await names(first.run)).toEqual(["POST /ask", "agent", "lookup", "lookup", "lookup"]);
  expect(await names(second.run)).toEqual(["SELECT", "agent", "lookup", "lookup", "lookup", "socket"]);
  expect(await bench.envelope(trace)).toBeNull();
  expect((await bench.envelope(second.run))?.complete).toBe(true);
  // one that comes when all runs of its trace are sealed
  await bench.send([foreignSpan({ trace, id: 14, name: "late" })]);
  await bench.pass(600_000);
  expect(await names(first.run)).toEqual(["POST /ask", "agent", "late", "lookup", "lookup", "lookup"]);
  expect(bench.assembler.counts().spans).toBe(0);
});

test("a run that takes none of the spans of others in its trace leaves all of them to the next", async () => {
  await open();
  const trace = sampleId(910);
  const [first, second] = [sampleRun(16, { trace }), sampleRun(17, { trace })];
  const below = [20, 21, 22].map((id) =>
    foreignSpan({ trace, id, parent: second.steps[0]!.spanId, name: `sql ${id}` }),
  );
  await bench.send([...second.steps, ...below]);
  await bench.send([...first.steps, first.root]);
  await bench.pass(0);
  expect((await bench.envelope(first.run))?.spans).toHaveLength(4);
  await bench.send([second.root]);
  await bench.pass(0);
  const names = (await bench.envelope(second.run))?.spans.map(({ span }) => span.name).toSorted();
  expect(names).toEqual(["agent", "lookup", "lookup", "lookup", "sql 20", "sql 21", "sql 22"]);
  expect(bench.assembler.counts()).toEqual({ open: 0, sealing: 0, spans: 0 });
});

test("a span with a status code of a later OTLP is sealed with the others, byte for byte, and reads as one without", async () => {
  await open();
  const run = sampleRun(11);
  const odd = foreignSpan({ trace: run.trace, id: 5, parent: run.steps[0]!.spanId });
  const bytes = Buffer.concat([odd.bytes, Buffer.from([0x7a, 2, 0x18, 9])]);
  await bench.send([...run.steps, { ...odd, bytes }]);
  await bench.send([run.root]);
  await bench.pass(0);
  const envelope = await bench.envelope(run.run);
  expect(envelope?.spans.map(({ scanned }) => Buffer.from(scanned.span))).toContainEqual(bytes);
  expect(envelope?.spans.find(({ scanned }) => bytes.equals(scanned.span))?.span.status.code).toBe(0);
  expect(envelope?.incompleteReasons).toEqual([]);
});

test("a run that cannot be sealed is set aside, raw, and the journal goes on", async () => {
  await open();
  const [bad, good] = [sampleRun(12), sampleRun(13)];
  const get = bench.catalog.get.bind(bench.catalog);
  bench.catalog.get = (tenant, run) => {
    if (run === bad.run) return Promise.reject(new StoreError("DAMAGED", "row", "made for this test"));
    return get(tenant, run);
  };
  await bench.send([...bad.steps, bad.root, ...good.steps, good.root]);
  await bench.pass(0);
  expect(await bench.envelope(good.run)).toMatchObject({ complete: true });
  const keys: string[] = [];
  for await (const { key, size } of bench.store.list("v1/unsealed/")) {
    keys.push(key);
    const spans = scanTraces(await bench.store.getRange(key, 0, size)).map(({ span }) => Buffer.from(span));
    const sent = [bad.root, ...bad.steps].map((span) => Buffer.from(span.bytes));
    expect(spans.toSorted(Buffer.compare)).toEqual(sent.toSorted(Buffer.compare));
  }
  expect(keys).toEqual([expect.stringContaining(`v1/unsealed/acme/${bad.run}/`)]);
  expect(bench.assembler.counts()).toEqual({ open: 0, sealing: 0, spans: 0 });
  expect(bench.sealing.counts().failures).toBe(1);
});

test("a pack of the same name with other spans stays, and the run is sealed behind it", async () => {
  const [here, there] = [sampleRun(14), sampleRun(14, { text: () => "from elsewhere" })];
  await open();
  await bench.send([...there.steps, there.root]);
  await bench.pass(0);
  const { store } = bench;
  await bench.close();
  // Another collector, which knows nothing of that pack, on the same store.
  await open({ store });
  await bench.send([...here.steps, here.root]);
  await bench.pass(0);
  const envelope = await bench.envelope(here.run);
  expect(envelope).toMatchObject({ header: { revision: 1 } });
  expect(envelope?.spans).toHaveLength(7);
});

test("a run of which two processes seal different spans at the same time has all of them in the end", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reenact-two-"));
  const store = createMemoryStore();
  const [run, beside] = [sampleRun(16), sampleRun(17)];
  const written = Promise.withResolvers<void>();
  let isHeld = true;
  const other = await openWorkbench({
    store,
    catalogFolder: folder,
    point: async (name) => {
      if (name === "before store.putIfAbsent" && isHeld) await written.promise;
    },
  });
  await open({ store, catalogFolder: folder });
  try {
    // with another run its pack has a name of its own
    await other.send([...run.steps.slice(2), run.root, ...beside.steps, beside.root]);
    const sealed = other.pass(600_000, 30_000);
    await vi.waitUntil(() => other.sealing.counts().waiting === 2);
    await bench.send(run.steps.slice(0, 2));
    await bench.pass(600_000);
    expect((await bench.envelope(run.run))?.spans).toHaveLength(2);
    isHeld = false;
    written.resolve();
    await sealed;
    expect((await bench.envelope(run.run))?.spans).toHaveLength(run.steps.length + 1);
    expect((await bench.envelope(beside.run))?.spans).toHaveLength(beside.steps.length + 1);
  } finally {
    await other.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a pack that another process has sealed behind meanwhile, with the same spans, holds up no other pack", async () => {
  const folder = mkdtempSync(join(tmpdir(), "reenact-two-"));
  const store = createMemoryStore();
  const [run, later] = [sampleRun(16), sampleRun(18)];
  const committed = Promise.withResolvers<void>();
  let isHeld = true;
  const other = await openWorkbench({
    store,
    catalogFolder: folder,
    point: async (name) => {
      if (name === "after store.putIfAbsent" && isHeld) await committed.promise;
    },
  });
  await open({ store, catalogFolder: folder });
  try {
    await other.send([...run.steps, run.root]);
    const sealed = other.pass(600_000, 30_000);
    await vi.waitUntil(async () => {
      for await (const _ of store.list("v1/runs/")) return true;
      return false;
    });
    // finds a pack of the same name that nobody has committed, with all that it has itself
    await bench.send([...run.steps.slice(0, 2), run.root]);
    await bench.pass(600_000);
    expect(await bench.catalog.get("acme", run.run)).toMatchObject({ revision: 1 });
    isHeld = false;
    committed.resolve();
    await sealed;
    await other.send([...later.steps, later.root]);
    await other.pass(600_000);
    expect(other.assembler.counts()).toEqual({ open: 0, sealing: 0, spans: 0 });
    expect((await other.envelope(run.run))?.spans).toHaveLength(run.steps.length + 1);
    expect(await other.envelope(later.run)).not.toBeNull();
  } finally {
    await other.close();
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a journal that grows too long is freed of a run that stays open", async () => {
  await open({ segmentBytes: 4_000, maxHeldBytes: 12_000 });
  const slow = sampleRun(15, { steps: 2 });
  await bench.send(slow.steps.slice(0, 1));
  for (let n = 20; n < 50; n++) {
    const { steps, root } = sampleRun(n);
    await bench.send([...steps, root]);
  }
  await bench.pass(1_000);
  expect((await bench.envelope(slow.run))?.incompleteReasons).toContainEqual(expect.stringContaining("no root span"));
  expect(bench.assembler.counts().open).toBe(0);
  await bench.send([...slow.steps.slice(1), slow.root]);
  await bench.pass(600_000);
  expect(await bench.envelope(slow.run)).toMatchObject({ complete: true, header: { revision: 1 } });
});

test("packs roll by size, and each run is read by its own range", async () => {
  await open({ packBytes: 3_000 });
  const runs = Array.from({ length: 8 }, (_, n) => sampleRun(n + 60));
  for (const { steps, root } of runs) await bench.send([...steps, root]);
  await bench.pass(0);
  const keys = new Set<string>();
  for (const { run } of runs) {
    expect(await bench.envelope(run)).toMatchObject({ complete: true });
    keys.add((await bench.catalog.get("acme", run))!.parts[0]!.key);
  }
  expect(keys.size).toBeGreaterThan(1);
  expect(keys.size).toBeLessThan(8);
});

test("a run too large for memory is sealed span by span: the same envelope, doubles taken once, no file left", async () => {
  await open({ largeBytes: 1_000 });
  const run = sampleRun(91, { text: () => randomBytes(3_000).toString("base64") });
  await bench.send(run.steps.toReversed());
  await bench.send([...run.steps.slice(1), run.root]);
  await bench.settled();
  const seen = () => createOpenFacts(bench.assembler, bench.sealing).frames("acme", run.run);
  await expect.poll(() => seen()?.length).toBe(3);
  const bodies = seen()!;
  const file = bodies[2] as FileBody;
  const pieces: Uint8Array[] = [];
  for await (const piece of rangeOf(bodies, { offset: 0, length: 1e9 })) pieces.push(piece);
  const whole = Buffer.concat(pieces);
  const read = readEnvelope(whole);
  const tail: Uint8Array[] = [];
  for await (const piece of rangeOf(bodies, { offset: 5, length: whole.length - 10 })) tail.push(piece);
  expect(Buffer.concat(tail)).toEqual(whole.subarray(5, -5));
  expect(existsSync(file.path)).toBe(true);
  await bench.pass(0);
  const envelope = await bench.envelope(run.run);
  expect(envelope).toMatchObject({ complete: true, header: { content: read.header.content, revision: 0 } });
  expect(envelope?.spans.map(({ span }) => span.spanId)).toEqual([run.root, ...run.steps].map(({ spanId }) => spanId));
  expect(existsSync(file.path)).toBe(false);
  // what is there already makes no revision
  await bench.send([run.root]);
  await bench.pass(600_000);
  expect((await bench.envelope(run.run))?.header.revision).toBe(0);
});

test("a pack that is much too large goes through a file", async () => {
  await open({ packBytes: 1_000 });
  const run = sampleRun(90, { text: () => randomBytes(3_000).toString("base64") });
  await bench.send([...run.steps, run.root]);
  await bench.pass(0);
  expect(await bench.envelope(run.run)).toMatchObject({ complete: true });
});

const YEARS = 20 * 365 * 86_400_000;
test.each([-YEARS, YEARS])(
  "a clock that is put %i ms away never stops sealing, nor do copies expire sooner",
  async (jump) => {
    await open();
    const [before, during] = [sampleRun(801), sampleRun(802)];
    await bench.send([before.root, ...before.steps.slice(1)]);
    await bench.settled();
    bench.jump = jump;
    await bench.send([...during.steps, during.root]);
    await bench.pass(600_000);
    expect(bench.assembler.counts()).toEqual({ open: 0, sealing: 0, spans: 0 });
    for (const { run } of [before, during]) expect(await bench.envelope(run)).not.toBeNull();
    // what comes late, under a clock that was put back, takes the place of a copy that was to stay longer
    const dayOf = async () =>
      (await bench.catalog.get("acme", before.run))!.parts[0]!.key.split("/").slice(4, 7).join("");
    const day = await dayOf();
    await bench.send(before.steps.slice(0, 1));
    await bench.pass(600_000);
    expect((await bench.envelope(before.run))?.spans.length).toBe(4);
    expect(Number(await dayOf())).toBeGreaterThanOrEqual(Number(day));
  },
);
