import { decodeResource, decodeSpan, scanTraces, WireReader } from "@reenact/envelope";
import { expect, test } from "vitest";
import { sampleTraces } from "./sample-traces.test.fixture.ts";
import { halves, requestOf, viewOf, viewTraces } from "@reenact/envelope/transfer";

const attributes = {
  "reenact.schema": 1,
  "reenact.run.id": "0123456789abcdef0123456789abcdef",
  "reenact.record": "{}",
  "llm.model_name": "gpt-4o",
  blob: Uint8Array.of(1, 2, 255),
  list: ["a", Uint8Array.of(7)],
  map: { deep: Uint8Array.of(8), text: "t" },
  half: 0.5,
};
const traces = sampleTraces(1, {
  attributes,
  events: [{ name: "e", timeUnixNano: 5n, attributes: { data: Uint8Array.of(9) } }],
  links: [{ traceId: "f".repeat(32), spanId: "e".repeat(16), attributes: { data: Uint8Array.of(10) } }],
});
const only = (bytes: Uint8Array) => {
  const [scanned] = scanTraces(bytes);
  return { ...decodeSpan(scanned!.span), resource: decodeResource(scanned!.resource) };
};

test("openinference leaves out what only a replay needs; the run's id stays", () => {
  const span = only(viewTraces(traces, viewOf({ view: "openinference", bytesAsText: true })));
  expect(span.attributes).toEqual({
    "reenact.run.id": attributes["reenact.run.id"],
    "llm.model_name": "gpt-4o",
    blob: "AQL/",
    list: ["a", "Bw=="],
    map: { deep: "CA==", text: "t" },
    half: 0.5,
  });
  expect(span.events[0]?.attributes).toEqual({ data: "CQ==" });
  expect(span.links[0]?.attributes).toEqual({ data: "Cg==" });
});

test("full with nothing to change is the same bytes", () => {
  expect(Buffer.from(viewTraces(traces, viewOf({ view: "full", bytesAsText: false })))).toEqual(Buffer.from(traces));
  const plain = sampleTraces(2);
  expect(Buffer.from(viewTraces(plain, viewOf({ view: "full", bytesAsText: true })))).toEqual(Buffer.from(plain));
});

test("a project is written into the resource, once", () => {
  const view = viewOf({ view: "full", bytesAsText: true, project: "desk" });
  const twice = viewTraces(viewTraces(traces, view), view);
  expect(only(twice).resource).toEqual({ "service.name": "desk", "openinference.project.name": "desk" });
  const reader = new WireReader(scanTraces(twice)[0]!.resource);
  let fields = 0;
  while (reader.field() !== 0) {
    reader.skip();
    fields++;
  }
  expect(fields).toBe(2);
});

test("halves of any request hold all of its spans, and a request of its spans is what it was", () => {
  const spans = [1, 2, 3, 4, 5].flatMap((n) => scanTraces(sampleTraces(n, { name: "n".repeat(n * 100) })));
  const [left, right] = halves(spans)!;
  expect([...left, ...right]).toEqual(spans);
  expect(Math.min(left.length, right.length)).toBeGreaterThan(0);
  expect(halves(spans.slice(0, 1))).toBeNull();
  expect(scanTraces(requestOf(spans)).map(({ span }) => Buffer.from(span))).toEqual(
    spans.map(({ span }) => Buffer.from(span)),
  );
  expect(Buffer.from(requestOf(scanTraces(traces)))).toEqual(Buffer.from(traces));
});
