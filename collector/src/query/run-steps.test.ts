import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeResource, encodeScope, encodeTraces, plainSpan, scanTraces } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { expect, test } from "vitest";
import { mediaType } from "./media-type.ts";
import { stepDetail, stepLines, stepPart } from "./run-steps.ts";
import { digestOf } from "./span-parts.ts";

const golden = readFileSync(join(import.meta.dirname, "../../../test/fixtures/envelopes/v1-parallel-calls.reenact"));
const envelope = readEnvelope(golden);
const spans = envelope.spans.map(({ scanned }) => scanned);
const page = { after: 0, limit: 100 };

test("steps stand by start with their numbers, times, tokens and the digests of their parts", () => {
  const { steps, total, next } = stepLines(envelope.id, spans.toReversed(), page);
  expect([total, next]).toEqual([3, null]);
  expect(steps.map(({ n, kind, name, parent }) => [n, kind, name, parent])).toEqual([
    [1, "RUN", "guide", null],
    [2, "LLM", "chat", "00000000000000a0"],
    [3, "LLM", "chat", "00000000000000a0"],
  ]);
  expect(steps[2]).toMatchObject({
    slot: "guide|openai.chat|1",
    attempt: 0,
    firstChunkMs: 31.5,
    status: "ok",
    redactions: 1,
  });
  expect(steps[1]!.tokens).toMatchObject({ prompt: expect.any(Number) as number });
  const output = '{"role":"assistant","content":"Reykjavík"}';
  expect(steps[2]!.parts).toContainEqual({
    name: "output",
    digest: digestOf(output),
    bytes: Buffer.byteLength(output),
    type: "application/json",
  });
  const names = steps[2]!.parts.map(({ name }) => name);
  expect(names).toEqual(["input", "output", "request", "response"]);
  expect(JSON.stringify(steps)).not.toMatch(/Iceland|Reykjav|Norway|Oslo|AUTH_/);
});

test("pages have each step once", () => {
  const first = stepLines(envelope.id, spans, { after: 0, limit: 2 });
  expect([first.steps.length, first.total, first.next]).toEqual([2, 3, 2]);
  const second = stepLines(envelope.id, spans, { after: 2, limit: 2 });
  expect([second.steps[0]?.n, second.next]).toEqual([3, null]);
});

test("a step is named by its span or its number, and every part that it lists is read by its digest", () => {
  const detail = stepDetail(envelope.id, spans, "3")!;
  expect(stepDetail(envelope.id, spans, "00000000000000b1")).toEqual(detail);
  expect(detail.exchange).toMatchObject({ method: "POST", status: 200, chunks: 3, end: "complete" });
  expect(detail.parts.map(({ name }) => name)).toEqual(expect.arrayContaining(["record", "span"]));
  for (const part of detail.parts) {
    const found = stepPart(envelope.id, spans, "3", part.digest);
    if (typeof found === "string") throw new Error(`${part.name}: ${found}`);
    expect(Buffer.from(found.value as string).length, part.name).toBe(part.bytes);
    expect(digestOf(found.value)).toBe(part.digest);
  }
  expect(stepPart(envelope.id, spans, "2", detail.parts[0]!.digest)).toBe("no-part");
  for (const none of ["0", "4", "x", "ffffffffffffffff", "-1", "1e3"])
    expect(stepDetail(envelope.id, spans, none), none).toBeNull();
});

test("spans of other instrumentations are steps; a cycle and a missing parent end nothing", () => {
  const origin = { resource: encodeResource({}), scope: encodeScope("x"), resourceSchemaUrl: "", scopeSchemaUrl: "" };
  const run = "a".repeat(32);
  const span = (spanId: string, parentSpanId: string | null, attributes: Record<string, unknown>, at: bigint) =>
    encodeTraces(plainSpan({ traceId: run, spanId, parentSpanId, name: "s", startUnixNano: at, attributes }), origin);
  const bytes = Buffer.concat([
    span("1".repeat(16), "2".repeat(16), { "openinference.span.kind": "LLM", "input.value": "hello" }, 1n),
    span("2".repeat(16), "1".repeat(16), { "gen_ai.usage.input_tokens": 3, "gen_ai.usage.output_tokens": 4 }, 2n),
    span("3".repeat(16), "9".repeat(16), { long: "x".repeat(1000), nan: Number.NaN, short: "\u202Eok\u001B[31m" }, 3n),
  ]);
  const foreign = scanTraces(bytes);
  const { steps } = stepLines(run, foreign, page);
  expect(steps.map(({ parent, status }) => [parent?.[0] ?? null, status])).toEqual([
    ["2", "open"],
    ["1", "open"],
    [null, "open"],
  ]);
  expect(steps[1]!.tokens).toEqual({ prompt: 3, completion: 4, total: 7 });
  const last = stepDetail(run, foreign, "3")!;
  expect(last.attributes).toEqual({ short: "\u202Eok\u001B[31m" });
  expect(last.parts.map(({ name }) => name)).toContain("attribute.long");
});

test("nothing that a browser runs is served under its own type", () => {
  expect(mediaType("image/png", false)).toBe("image/png");
  expect(mediaType("Image/PNG; x=1", false)).toBe("image/png");
  expect(mediaType("application/vnd.x+json", true)).toBe("application/json");
  for (const type of [
    "text/html",
    "image/svg+xml",
    "text/javascript",
    "application/xhtml+xml",
    "text/event-stream",
    null,
  ]) {
    expect(mediaType(type, true)).toBe("text/plain; charset=utf-8");
    expect(mediaType(type, false)).toBe("application/octet-stream");
  }
});

test("a step that ended before it started, since a clock was set back, took no time and ended when it started", () => {
  const origin = { resource: encodeResource({}), scope: encodeScope("x"), resourceSchemaUrl: "", scopeSchemaUrl: "" };
  const times = { startUnixNano: 5_000_000_000n, endUnixNano: 2_000_000_000n };
  const span = plainSpan({ traceId: "c".repeat(32), spanId: "1".repeat(16), name: "back", ...times });
  const { steps } = stepLines("c".repeat(32), scanTraces(encodeTraces(span, origin)), page);
  expect(steps).toMatchObject([{ started: 5000, ended: 5000, durationMs: 0 }]);
});
