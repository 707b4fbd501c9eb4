import { encodeResource, encodeScope, encodeTraces, plainSpan, scanTraces } from "@reenact/envelope";
import { readEnvelope, writeEnvelope } from "@reenact/envelope/file";
import { expect, test } from "vitest";
import { indexRun } from "./index-run.ts";
import { rowOf } from "./row-of.ts";

const run = "c".repeat(32);
const NONE = { resource: encodeResource({}), resourceSchemaUrl: "", scope: encodeScope("x"), scopeSchemaUrl: "" };

function rowOfRoot(startUnixNano: bigint, endUnixNano: bigint) {
  const root = plainSpan({ traceId: run, spanId: "1".repeat(16), name: "root", startUnixNano, endUnixNano });
  const { manifest, spans } = readEnvelope(writeEnvelope({ spans: scanTraces(encodeTraces(root, NONE)), run }).bytes);
  const sealed = { tenant: "t", class: "short" as const, rule: null, received: 0, parts: [] };
  return rowOf(manifest, indexRun(spans.map(({ span }) => span)), sealed);
}

test("a run that ended before it started, since a clock was set back, took no time and ended when it started", () => {
  expect(rowOfRoot(5_000_000_000n, 2_000_000_000n)).toMatchObject({ started: 5000, ended: 5000, durationMs: 0 });
  expect(rowOfRoot(5_000_000_000n, 7_500_000_000n)).toMatchObject({ started: 5000, ended: 7500, durationMs: 2500 });
  expect(rowOfRoot(5_000_000_000n, 0n)).toMatchObject({ started: 5000, ended: null, durationMs: null });
});
