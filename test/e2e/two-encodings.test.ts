import { gzipSync } from "node:zlib";
import { ATTR, joinTraces, otlpJson } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { afterEach, expect, test } from "vitest";
import { recordDesk, type RunningCollector, startCollector, until } from "./running-collector.ts";

let collector: RunningCollector;
afterEach(() => collector.stop());

async function send(type: string, body: Uint8Array, zipped: boolean): Promise<void> {
  const response = await fetch(`${collector.address.http}/v1/traces`, {
    method: "POST",
    headers: { "content-type": type, ...(zipped && { "content-encoding": "gzip" }) },
    body: Buffer.from(zipped ? gzipSync(body) : body),
  });
  expect([response.status, await response.text()]).toMatchObject([200, expect.anything()]);
}

test("a run that was sent as protobuf and as JSON, plain and zipped, is sealed as if it came once", async () => {
  const desk = await recordDesk();
  collector = await startCollector();
  const spans = desk.spans.map(({ scanned }) => scanned);
  const isRoot = desk.spans.map(({ span }) => ATTR.root in span.attributes);
  expect(isRoot.filter(Boolean)).toHaveLength(1);
  // The root comes last: with it the run is complete, and sealed.
  const steps = joinTraces(spans.filter((_, n) => !isRoot[n])).bytes;
  const root = joinTraces(spans.filter((_, n) => isRoot[n])).bytes;
  // What exporters of JSON say although it is zero.
  const json = (traces: Uint8Array) =>
    Buffer.from(
      JSON.stringify(otlpJson(traces)).replaceAll(
        '"traceId":',
        '"droppedAttributesCount":0,"traceState":"","traceId":',
      ),
    );
  for (const zipped of [false, true]) {
    await send("application/x-protobuf", steps, zipped);
    await send("application/json", json(steps), zipped);
  }
  await send("application/x-protobuf", root, true);

  const envelope = await until("the sealed envelope", async () => {
    const answer = await fetch(`${collector.address.http}/api/v1/runs/${desk.id}/envelope`);
    return answer.status === 200 ? readEnvelope(new Uint8Array(await answer.arrayBuffer())) : null;
  });
  expect(envelope.spans).toHaveLength(desk.spans.length);
  expect(envelope.header.content).toBe(desk.header.content);
});
