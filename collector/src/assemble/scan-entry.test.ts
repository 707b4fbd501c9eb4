import { ATTR, decodeSpan, EnvelopeError, scanTraces } from "@reenact/envelope";
import fc from "fast-check";
import { expect, test } from "vitest";
import { foreignSpan, requestOf, sampleRun } from "./sample-spans.test.fixture.ts";
import { scanEntry } from "./scan-entry.ts";

const numRuns = process.env["TEST_SCALE"] === "full" ? 200_000 : 3_000;

interface Seen {
  readonly span: string;
  readonly resource: string;
  readonly scope: string;
  readonly urls: readonly string[];
  readonly traceId: string;
  readonly spanId: string;
  readonly start: bigint;
}

function bySkipping(body: Uint8Array): {
  seen: Seen[];
  runs: (string | null)[];
  parents: (string | null)[];
  ended: boolean[];
} {
  const bytes = Buffer.from(body);
  const hex = (at: number, length: number) => bytes.toString("hex", at, at + length);
  const [seen, runs, parents, ended] = [
    [] as Seen[],
    [] as (string | null)[],
    [] as (string | null)[],
    [] as boolean[],
  ];
  let above = { resource: "", scope: "", urls: [] as string[] };
  scanEntry(
    body,
    (scope) => {
      above = {
        resource: hex(scope.resource, scope.resourceLength),
        scope: hex(scope.scope, scope.scopeLength),
        urls: [scope.resourceUrl, scope.scopeUrl],
      };
    },
    (span) => {
      seen.push({
        ...above,
        span: hex(span.offset, span.length),
        traceId: hex(span.trace, 16),
        spanId: hex(span.id, 8),
        start: span.start < 0 ? 0n : bytes.readBigUInt64LE(span.start),
      });
      runs.push(span.run);
      parents.push(span.parent < 0 ? null : hex(span.parent, 8));
      ended.push(span.ended);
    },
  );
  return { seen, runs, parents, ended };
}

const byDecoding = (body: Uint8Array): Seen[] =>
  scanTraces(body).map((each) => ({
    span: Buffer.from(each.span).toString("hex"),
    resource: Buffer.from(each.resource).toString("hex"),
    scope: Buffer.from(each.scope).toString("hex"),
    urls: [each.resourceSchemaUrl, each.scopeSchemaUrl],
    traceId: each.traceId,
    spanId: each.spanId,
    start: each.startUnixNano,
  }));

const sample = sampleRun(1, { text: (step) => "x".repeat(step * 40) });
const body = requestOf(
  [sample.root, ...sample.steps, foreignSpan({ trace: sample.trace, id: 9, parent: sample.root.spanId })],
  {
    resource: Buffer.from("0a0a0a0161120512036c6162", "hex"),
    resourceSchemaUrl: "https://schema.example/1",
    scope: Buffer.from("0a0178", "hex"),
    scopeSchemaUrl: "https://schema.example/2",
  },
);

test("sees what the decoder sees", () => {
  const { seen, runs, parents, ended } = bySkipping(body);
  expect(seen).toEqual(byDecoding(body));
  const decoded = seen.map(({ span }) => decodeSpan(Buffer.from(span, "hex")));
  expect(runs).toEqual(decoded.map(({ attributes }) => attributes[ATTR.runId] ?? null));
  expect(parents).toEqual(decoded.map(({ parentSpanId }) => parentSpanId));
  expect(ended).toEqual(decoded.map(({ endUnixNano }) => endUnixNano > 0n));
});

test("bytes that were changed, cut or doubled: what both take is the same, nothing else is thrown", () => {
  const change = fc.record({
    at: fc.nat(body.length - 1),
    kind: fc.constantFrom("set", "cut", "drop", "double"),
    value: fc.nat(255),
  });
  let [taken, refused] = [0, 0];
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      let spoiled = Buffer.from(body);
      for (const { at, kind, value } of changes) {
        if (kind === "set" && at < spoiled.length) spoiled[at] = value;
        else if (kind === "cut") spoiled = spoiled.subarray(0, Math.max(at, 1));
        else if (kind === "drop") spoiled = Buffer.concat([spoiled.subarray(0, at), spoiled.subarray(at + 1)]);
        else if (kind === "double") spoiled = Buffer.concat([spoiled, body]);
      }
      const attempt = <T>(read: () => T): T | null => {
        try {
          return read();
        } catch (error) {
          if (error instanceof EnvelopeError && error.code === "BAD_OTLP") return null;
          throw error;
        }
      };
      const [skipped, decoded] = [attempt(() => bySkipping(spoiled)), attempt(() => byDecoding(spoiled))];
      if (skipped === null || decoded === null) {
        refused++;
        return;
      }
      taken++;
      expect(skipped.seen).toEqual(decoded);
      for (const [n, { span }] of skipped.seen.entries()) {
        const whole = attempt(() => decodeSpan(Buffer.from(span, "hex")));
        if (whole === null) continue;
        const id = whole.attributes[ATTR.runId];
        expect(skipped.runs[n]).toBe(typeof id === "string" && /^[0-9a-f]{32}$/.test(id) ? id : null);
      }
    }),
    { numRuns },
  );
  expect(taken).toBeGreaterThan(numRuns / 20);
  expect(refused).toBeGreaterThan(numRuns / 20);
});
