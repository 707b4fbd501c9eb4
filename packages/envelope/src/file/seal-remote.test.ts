import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ScannedSpan } from "../otlp/scan-traces.ts";
import { encodeSpan } from "../otlp/span.ts";
import { type Envelope, readEnvelope } from "./read-envelope.ts";
import { sealRemote, writeEnvelope } from "./write-envelope.ts";

const golden = join(import.meta.dirname, "../../../../test/fixtures/envelopes/v1-parallel-calls.reenact");
const run: Envelope = readEnvelope(readFileSync(golden));

async function sealed(spans: readonly ScannedSpan[]) {
  const pieces: Buffer[] = [];
  const remote = {
    origins: spans,
    origin: Uint32Array.from(spans.keys()),
    length: Uint32Array.from(spans, ({ span }) => span.length),
    start: BigUint64Array.from(spans, ({ startUnixNano }) => startUnixNano),
    id: BigUint64Array.from(spans, ({ spanId }) => BigInt(`0x${spanId}`)),
    read: (n: number, into: Uint8Array) => into.set(spans[n]!.span),
  };
  const frames = await sealRemote(remote, { run: run.id, class: "short" }, (piece) => pieces.push(Buffer.from(piece)));
  const spansFrame = Buffer.concat(pieces);
  expect(frames.spans).toBe(spansFrame.length);
  return { ...frames, bytes: Buffer.concat([...frames.bytes, spansFrame]) };
}

test("a run that is sealed span by span is the same run, and its payloads do not stay in memory", async () => {
  const scanned = run.spans.map((each) => each.scanned);
  const long = "a long answer ".repeat(200_000);
  const large = run.spans.map(({ scanned: each, span, record }) => {
    if (record === null) return each;
    const text = JSON.stringify({ ...record, call: { args: "[]", result: JSON.stringify([long]) } });
    const attributes = { ...span.attributes, "reenact.record": text, "reenact.record.length": text.length };
    return { ...each, span: encodeSpan({ ...span, attributes: { ...attributes, "input.value": long } }) };
  });
  for (const spans of [scanned, [...large, ...large]]) {
    const whole = writeEnvelope({ spans, run: run.id, class: "short" });
    const streamed = await sealed(spans);
    expect(streamed.manifest).toEqual(whole.manifest);
    expect(streamed.header.content).toBe(whole.header.content);
    const read = readEnvelope(streamed.bytes);
    expect(read.complete).toBe(readEnvelope(whole.bytes).complete);
    expect(read.spans.map((each) => Buffer.from(each.scanned.span).toString("base64"))).toEqual(
      readEnvelope(whole.bytes).spans.map((each) => Buffer.from(each.scanned.span).toString("base64")),
    );
    expect(JSON.stringify(streamed.run.spans.map(({ span, record }) => [span.attributes, record])).length).toBeLessThan(
      60_000,
    );
  }
});
