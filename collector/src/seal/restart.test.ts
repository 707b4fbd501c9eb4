import { afterEach, expect, test } from "vitest";
import { foreignSpan, sampleId, sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import { openWorkbench, type Workbench, type WorkbenchOptions } from "./workbench.test.fixture.ts";

let bench: Workbench;
const open = async (options?: WorkbenchOptions) => (bench = await openWorkbench(options));
afterEach(() => bench.close());

test("a span of others that is read again after a restart stays with the run that it was sealed with", async () => {
  await open();
  const trace = sampleId(920);
  const [first, second] = [sampleRun(40, { trace }), sampleRun(41, { trace })];
  const server = foreignSpan({ trace, id: 30, name: "POST /ask" });
  await bench.send(first.steps);
  await bench.send([server, second.steps[0]!, first.root]);
  await bench.pass(5_000);
  const names = async (run: string) => (await bench.envelope(run))?.spans.map(({ span }) => span.name).toSorted();
  expect(await names(first.run)).toEqual(["POST /ask", "agent", "lookup", "lookup", "lookup"]);
  await bench.crash();
  await bench.pass(600_000);
  expect(await names(first.run)).toEqual(["POST /ask", "agent", "lookup", "lookup", "lookup"]);
  expect(await names(second.run)).toEqual(["lookup"]);
  await bench.pass(600_000);
  expect(await bench.envelope(trace)).toBeNull();
  expect(bench.assembler.counts()).toEqual({ open: 0, sealing: 0, spans: 0 });
});

test("a crash before the pack, and one between pack and catalog, lose nothing and repeat nothing", async () => {
  await open();
  const [a, b] = [sampleRun(8), sampleRun(9)];
  await bench.send([...a.steps, a.root]);
  await bench.crash();
  await bench.pass(0);
  expect(await bench.envelope(a.run)).toMatchObject({ complete: true });
  const apply = bench.catalog.apply.bind(bench.catalog);
  bench.catalog.apply = () => Promise.reject(new Error("no catalog"));
  await bench.send([...b.steps, b.root]);
  const passing = bench.pass(0).catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, 300));
  bench.catalog.apply = apply;
  await Promise.all([bench.crash(), passing]);
  await bench.pass(0);
  expect(await bench.envelope(b.run)).toMatchObject({ complete: true, header: { revision: 0 } });
  const keys: string[] = [];
  for await (const { key } of bench.store.list("v1/runs/")) keys.push(key);
  expect(keys).toHaveLength(2);
});

test("what comes after a collector finds the pack that it was writing whole, with its runs", async () => {
  const store = createMemoryStore();
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await open({
    store: {
      ...store,
      async putIfAbsent(key, body) {
        begun.resolve();
        await end.promise;
        return store.putIfAbsent(key, body);
      },
    },
  });
  const run = sampleRun(18);
  await bench.send([...run.steps, run.root]);
  const passing = bench.pass(0, 1_000);
  await begun.promise;
  let again = false;
  const crash = bench.crash().then(() => (again = true));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(again).toBe(false);
  end.resolve();
  await Promise.all([crash, passing]);
  expect(await bench.envelope(run.run)).toMatchObject({ complete: true });
  await bench.pass(0);
  expect((await bench.envelope(run.run))?.header.revision).toBe(0);
});

test("a pack that an owner before wrote and did not commit is in the way: the run is sealed behind it, also where it has nothing new", async () => {
  const store = createMemoryStore();
  const run = sampleRun(8);
  await open({ store });
  await bench.send([...run.steps, run.root]);
  await bench.pass(0);
  const whole = await bench.envelope(run.run);
  await bench.close();
  // another process, which knows nothing of that pack
  await open({ store });
  await bench.send([run.steps[0]!, run.root]);
  await bench.pass(600_000);
  const found = await bench.envelope(run.run);
  expect(found?.header).toMatchObject({ content: whole?.header.content, revision: 1 });
  await bench.send(run.steps.slice(1));
  await bench.pass(600_000);
  expect((await bench.envelope(run.run))?.header.content).toBe(whole?.header.content);
});
