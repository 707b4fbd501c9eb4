import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeSpan, encodeTraces, plainSpan, scanTraces } from "@reenact/envelope";
import { readEnvelope, writeEnvelope } from "@reenact/envelope/file";
import { expect, test } from "vitest";
import { runRow } from "./run-row.ts";
import { runView } from "./run-view.ts";

const golden = join(import.meta.dirname, "../../../../test/fixtures/envelopes/v1-parallel-calls.reenact");
const { spans, id } = readEnvelope(readFileSync(golden));

/** The recorded run, each span ending `ms` after its start. */
function lasting(ms: number) {
  const changed = spans.map(({ scanned, span }) => {
    const endUnixNano = ms === -Infinity ? 0n : span.startUnixNano + BigInt(ms) * 1_000_000n;
    return { ...scanned, span: encodeSpan({ ...span, endUnixNano }) };
  });
  return readEnvelope(writeEnvelope({ spans: changed, run: id }).bytes);
}

test("no duration is negative where a clock was set back during a run of ours", () => {
  const back = lasting(-3000);
  expect(runRow(back).durationMs).toBe(0);
  expect(runView(back).steps.map(({ durationMs }) => durationMs)).toEqual([0, 0]);
  expect(runView(lasting(40)).steps.map(({ durationMs }) => durationMs)).toEqual([40, 40]);
});

test("a step that has not ended has taken no time yet", () => {
  const open = lasting(-Infinity);
  expect(runRow(open).durationMs).toBeNull();
  expect(runView(open).steps.map(({ durationMs }) => durationMs)).toEqual([0, 0]);
});

test("nor is it in a run of another instrumentation", () => {
  const times = { startUnixNano: 5_000_000_000n, endUnixNano: 2_000_000_000n };
  const foreign = plainSpan({ traceId: "c".repeat(32), spanId: "1".repeat(16), name: "x", ...times });
  const origin = { resource: new Uint8Array(), resourceSchemaUrl: "", scope: new Uint8Array(), scopeSchemaUrl: "" };
  const file = writeEnvelope({ spans: scanTraces(encodeTraces(foreign, origin)), run: foreign.traceId }).bytes;
  expect(runView(readEnvelope(file)).steps).toMatchObject([{ durationMs: 0 }]);
});
