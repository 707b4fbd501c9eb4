import { otlpJson } from "@reenact/envelope";
import { afterEach, expect, test } from "vitest";
import { requestOf, sampleRun } from "../assemble/sample-spans.test.fixture.ts";
import { transcodeJson } from "../receive/json-traces.ts";
import { openWorkbench, type Workbench } from "./workbench.test.fixture.ts";

type Json = Record<string, Json[]> & { attributes?: object[] };

let bench: Workbench;
afterEach(() => bench.close());

/** The request as a sender of JSON writes it: what is zero is said, attributes are in another order. */
function inJson(request: Uint8Array, edit: (span: Json) => void = () => {}): Uint8Array {
  const document = otlpJson(request) as Json;
  for (const { resource, scopeSpans } of document["resourceSpans"]!) {
    Object.assign((resource ?? {}) as object, { droppedAttributesCount: 0 });
    for (const span of scopeSpans!.flatMap(({ spans }) => spans!)) {
      Object.assign(span, { droppedEventsCount: 0, events: [], traceState: "" });
      span.attributes?.reverse();
      edit(span);
    }
  }
  return transcodeJson(Buffer.from(JSON.stringify(document))).body;
}

const run = sampleRun(1, { steps: 3 });
const [steps, root] = [requestOf(run.steps), requestOf([run.root])];

/** The content of the run when each span comes once. */
async function contentOf(...bodies: Uint8Array[]): Promise<string> {
  bench = await openWorkbench();
  for (const body of bodies) await bench.sendBody(body);
  await bench.pass(0);
  const { header } = (await bench.envelope(run.run))!;
  await bench.close();
  return header.content;
}

test.each([
  ["in memory", {}],
  ["on a thread", { thread: true }],
  ["too large for memory", { largeBytes: 1 }],
])("a span that came in two encodings is one, as it came first; %s", async (_, options) => {
  const json = inJson(steps);
  expect(await contentOf(json, root)).not.toBe(await contentOf(steps, root));
  for (const [first, second] of [
    [steps, json],
    [json, steps],
  ] as const) {
    const expected = await contentOf(first, root);
    bench = await openWorkbench(options);
    for (const body of [first, second, first, root]) await bench.sendBody(body);
    await bench.pass(0);
    const envelope = (await bench.envelope(run.run))!;
    expect(envelope.spans).toHaveLength(run.steps.length + 1);
    expect(envelope.header.content).toBe(expected);
    if (first === steps) await bench.close();
  }
});

test("one that comes in the other encoding when its run is sealed makes no revision", async () => {
  bench = await openWorkbench();
  await bench.sendBody(steps);
  await bench.sendBody(root);
  await bench.pass(0);
  const { header } = (await bench.envelope(run.run))!;
  await bench.sendBody(inJson(steps));
  await bench.pass(3_600_000);
  expect(bench.assembler.counts()).toMatchObject({ open: 0, sealing: 0 });
  expect((await bench.envelope(run.run))!.header).toEqual(header);
  expect(await bench.catalog.get("acme", run.run)).toMatchObject({ revision: 0 });
});

test.each([
  ["in memory", {}],
  ["too large for memory", { largeBytes: 1 }],
])("spans of one id that say different things all stay; %s", async (_, options) => {
  bench = await openWorkbench(options);
  const other = inJson(steps, (span) => span.attributes!.push({ key: "more", value: { intValue: 1 } }));
  for (const body of [steps, other, root]) await bench.sendBody(body);
  await bench.pass(0);
  expect((await bench.envelope(run.run))!.spans).toHaveLength(2 * run.steps.length + 1);
});
