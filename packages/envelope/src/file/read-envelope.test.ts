import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ATTR } from "../schema/attributes.ts";
import { EnvelopeError } from "../envelope-error.ts";
import { encodeResource, encodeScope } from "../otlp/resource.ts";
import { type ScannedSpan, scanTraces } from "../otlp/scan-traces.ts";
import { decodeSpan, encodeSpan, type OtlpSpan } from "../otlp/span.ts";
import { compress, headerFrame, headerText } from "./frames.ts";
import { readEnvelope } from "./read-envelope.ts";
import { HEADER_PREFIX, readHeader, readManifest } from "./read-manifest.ts";
import { writeEnvelope } from "./write-envelope.ts";

const folder = join(import.meta.dirname, "../../../../test/fixtures/envelopes");
const golden = readFileSync(join(folder, "v1-parallel-calls.reenact"));
const goldenRun = readEnvelope(golden);
const { length: spansAt } = readManifest(golden);

/** The golden run with one of its spans changed or left out. */
function changed(edit: (span: OtlpSpan) => OtlpSpan | null): ScannedSpan[] {
  return goldenRun.spans.flatMap(({ scanned, span }) => {
    const next = edit(structuredClone(span));
    return next ? [{ ...scanned, span: encodeSpan(next) }] : [];
  });
}
const reread = (spans: ScannedSpan[]) => readEnvelope(writeEnvelope({ spans }).bytes);

describe("a whole envelope", () => {
  test("gives back run, steps, journal, and is complete", () => {
    expect(goldenRun.incompleteReasons).toEqual([]);
    expect([goldenRun.complete, goldenRun.damage, goldenRun.root?.name]).toEqual([true, null, "guide"]);
    expect(goldenRun.steps.map(({ record }) => [record.step, record.op])).toEqual([
      [0, "openai.chat"],
      [1, "openai.chat"],
    ]);
    expect(goldenRun.journals.get("0")).toMatchObject({ complete: true, problem: null });
  });

  test("written again from its spans in any order it has the same content and manifest", () => {
    const spans = goldenRun.spans.map(({ scanned }) => scanned);
    const again = writeEnvelope({ spans: [...spans.toReversed(), ...spans] });
    expect(again.header.content).toBe(goldenRun.header.content);
    expect(again.header.manifest.sha256).toBe(goldenRun.header.manifest.sha256);
  });

  test("its header is in the first bytes, its spans are a zstd frame of TracesData", () => {
    expect(golden.subarray(0, 4).toString("hex")).toBe("502a4d18");
    expect(golden.toString("latin1", 8, 12)).toBe("RNCT");
    expect(readHeader(golden.subarray(0, HEADER_PREFIX))).toEqual(goldenRun.header);
    expect(headerText(golden).json.length).toBeLessThanOrEqual(1024);
    expect(golden.subarray(spansAt, spansAt + 4).toString("hex")).toBe("28b52ffd");
  });

  test("the attempts of one call are one slot, and one call of their kind", () => {
    const [first, second] = goldenRun.steps;
    const { path, n } = first!.record;
    const retry = JSON.stringify({ ...second!.record, path, n, attempt: 1 });
    const spans = changed((span) =>
      span.spanId === second!.span.spanId
        ? { ...span, attributes: { ...span.attributes, [ATTR.record]: retry } }
        : span,
    );
    expect(reread(spans).manifest).toMatchObject({ steps: 2, slots: 1, counts: { LLM: 1 } });
  });

  test("a second revision names the one before", () => {
    const spans = goldenRun.spans.map(({ scanned }) => scanned);
    const { bytes } = writeEnvelope({ spans, revision: 1, previous: goldenRun.header.content, class: "keep" });
    expect(readEnvelope(bytes)).toMatchObject({
      header: { revision: 1, class: "keep" },
      manifest: { previous: goldenRun.header.content },
    });
  });

  test("unknown fields of records and root facts survive", () => {
    const spans = changed((span) => {
      const text = span.attributes[ATTR.record];
      if (typeof text !== "string") return span;
      const record = JSON.stringify({ ...(JSON.parse(text) as object), later: { a: 1 } });
      return { ...span, attributes: { ...span.attributes, [ATTR.record]: record, [ATTR.recordLength]: record.length } };
    });
    expect(reread(spans).steps[0]!.record["later"]).toEqual({ a: 1 });
  });

  test("lone surrogates in a record do not stop the manifest", () => {
    const spans = changed((span) => {
      const text = span.attributes[ATTR.record];
      if (typeof text !== "string") return span;
      const record = text.replace('"path":"guide"', '"path":"guide\\ud800"');
      return { ...span, attributes: { ...span.attributes, [ATTR.record]: record, [ATTR.recordLength]: record.length } };
    });
    const envelope = reread(spans);
    expect(envelope.steps[0]!.record.path).toBe("guide\ud800");
    expect(envelope.manifest.spans[1]!.slot).toBe("guide\ufffd|openai.chat|0");
  });
});

describe("an incomplete run says why", () => {
  const facts = (edit: (facts: Record<string, unknown>) => void) =>
    changed((span) => {
      const text = span.attributes[ATTR.root];
      if (typeof text !== "string") return span;
      const value = JSON.parse(text) as Record<string, unknown>;
      edit(value);
      return { ...span, attributes: { ...span.attributes, [ATTR.root]: JSON.stringify(value) } };
    });

  test.each<[string, ScannedSpan[], RegExp]>([
    ["no root", changed((span) => (span.parentSpanId === null ? null : span)), /no root span/],
    ["a step is missing", changed((span) => (span.spanId.endsWith("b1") ? null : span)), /1 of 2 steps missing: 1/],
    [
      "its segment is missing too",
      changed((span) => (span.spanId.endsWith("b1") ? null : span)),
      /lane 0: journal events 9 to 12 are missing/,
    ],
    [
      "the record was cut",
      changed((span) => ({
        ...span,
        attributes: { ...span.attributes, [ATTR.record]: String(span.attributes[ATTR.record]).slice(0, 50) },
      })),
      /record was cut \(50 of/,
    ],
    ["too few steps known", facts((value) => (value["steps"] = 1)), /step 1 is past the 1 steps/],
    [
      "a million steps claimed",
      facts((value) => (value["steps"] = 1e15)),
      /999999999999998 of 1000000000000000 steps missing: 2, 3/,
    ],
    ["no totals", facts((value) => delete value["lanes"]), /does not say how many journal events/],
    [
      "other totals",
      facts((value) => (value["lanes"] = { "0": { events: 14, sha256: "0".repeat(64) } })),
      /the journal was changed/,
    ],
    [
      "a lane more",
      facts((value) => Object.assign(value["lanes"] as object, { "1": { events: 2, sha256: "0".repeat(64) } })),
      /lane 1: 0 of 2 journal events/,
    ],
    ["malformed facts", facts((value) => (value["v"] = 2)), /root facts are malformed/],
    [
      "the root has not ended",
      changed((span) => (span.parentSpanId === null ? { ...span, endUnixNano: 0n } : span)),
      /root span has not ended/,
    ],
  ])("%s", (_, spans, reason) => {
    const envelope = reread(spans);
    expect(envelope.complete).toBe(false);
    expect(envelope.manifest.complete).toBe(false);
    expect(envelope.incompleteReasons.join("\n")).toMatch(reason);
  });

  test("a run whose root is missing counts as aborted, with the steps it has", () => {
    const { manifest } = reread(changed((span) => (span.parentSpanId === null ? null : span)));
    expect(manifest).toMatchObject({ status: "aborted", ended: null, steps: 2 });
  });
});

describe("what is refused, by name", () => {
  const code = (bytes: Uint8Array, options?: Parameters<typeof readEnvelope>[1]) => {
    try {
      readEnvelope(bytes, options);
      return "read";
    } catch (error) {
      expect(error).toBeInstanceOf(EnvelopeError);
      return (error as EnvelopeError).code;
    }
  };

  test("something else", () => {
    for (const bytes of [
      Buffer.from(""),
      Buffer.from("{}"),
      Buffer.from("PK\u0003\u0004 a zip file of some kind"),
      compress(Buffer.from("plain zstd")),
    ]) {
      expect(code(bytes)).toBe("NOT_AN_ENVELOPE");
    }
  });

  test("a newer version, naming both", () => {
    const newer = Buffer.from(golden);
    newer.writeUInt16LE(3, 12);
    expect(() => readHeader(newer)).toThrow(/version 3.*up to version 1/);
    expect(code(newer)).toBe("NEWER_VERSION");
  });

  test("a length bomb, before and while decompressing", () => {
    const { header } = goldenRun;
    const withHeader = (edit: object) =>
      Buffer.concat([headerFrame(JSON.stringify({ ...header, ...edit })), golden.subarray(headerText(golden).length)]);
    expect(code(withHeader({ spans: { ...header.spans, raw: 2 ** 40 } }))).toBe("TOO_LARGE");
    expect(code(withHeader({ manifest: { ...header.manifest, raw: 2 ** 40 } }))).toBe("TOO_LARGE");
    expect(code(golden, { maxRaw: 2000 })).toBe("TOO_LARGE");
    const bomb = compress(Buffer.alloc(64 * 1024 * 1024));
    const lying = { ...header, spans: { bytes: bomb.length, raw: header.spans.raw } };
    const file = Buffer.concat([
      headerFrame(JSON.stringify(lying)),
      golden.subarray(headerText(golden).length, spansAt),
      bomb,
    ]);
    expect(code(file)).toBe("TOO_LARGE");
    expect(code(file, { damaged: "read-up-to" })).toBe("TOO_LARGE");
  });

  test("spans of no run, and of two", () => {
    const without = changed((span) => ({ ...span, attributes: {} }));
    expect(() => writeEnvelope({ spans: without })).toThrow(expect.objectContaining({ code: "NO_RUN" }));
    const two = changed((span) => ({
      ...span,
      attributes: { ...span.attributes, [ATTR.runId]: span.spanId.padStart(32, "0") },
    }));
    expect(() => writeEnvelope({ spans: two })).toThrow(expect.objectContaining({ code: "OTHER_RUN" }));
  });

  test("a header that contradicts the manifest", () => {
    const other = headerFrame(JSON.stringify({ ...goldenRun.header, status: "failed" }));
    expect(code(Buffer.concat([other, golden.subarray(headerText(golden).length)]))).toBe("BAD_HEADER");
  });

  test("something after the end", () => {
    expect(code(Buffer.concat([golden, Buffer.from("x")]))).toBe("DAMAGED");
  });

  test("changed spans, naming run, span and byte range", () => {
    const raw = Buffer.from(scanRaw());
    const at = goldenRun.manifest.spans[1]!;
    raw.writeUInt8(raw.readUInt8(at.offset + 700) ^ 1, at.offset + 700);
    const frame = compress(raw);
    const header = { ...goldenRun.header, spans: { bytes: frame.length, raw: raw.length } };
    const file = Buffer.concat([
      headerFrame(JSON.stringify(header)),
      golden.subarray(headerText(golden).length, spansAt),
      frame,
    ]);
    expect(() => readEnvelope(file)).toThrow(
      expect.objectContaining({
        code: "DIGEST_MISMATCH",
        message: `run ${goldenRun.id}: span ${at.id} at bytes ${at.offset} to ${at.offset + at.length} of the spans was changed`,
      }),
    );
    const tolerant = readEnvelope(file, { damaged: "read-up-to" });
    expect(tolerant.spans.map(({ span }) => span.spanId)).toEqual([goldenRun.manifest.spans[0]!.id]);
    expect(tolerant).toMatchObject({ complete: false, damage: { code: "DIGEST_MISMATCH" } });
  });

  test("a changed resource", () => {
    const raw = Buffer.from(scanRaw());
    raw.write("guise", raw.indexOf("guide"));
    const frame = compress(raw);
    const header = { ...goldenRun.header, spans: { bytes: frame.length, raw: raw.length } };
    const file = Buffer.concat([
      headerFrame(JSON.stringify(header)),
      golden.subarray(headerText(golden).length, spansAt),
      frame,
    ]);
    expect(code(file)).toBe("DIGEST_MISMATCH");
  });

  function scanRaw(): Uint8Array {
    const { scanned } = goldenRun.spans[0]!;
    return new Uint8Array(
      scanned.span.buffer,
      scanned.span.byteOffset - goldenRun.manifest.spans[0]!.offset,
      goldenRun.header.spans.raw,
    );
  }
});

test("context of other services is kept and not counted", () => {
  const context: ScannedSpan = {
    ...goldenRun.spans[0]!.scanned,
    resource: encodeResource({ "service.name": "shop" }),
    scope: encodeScope("other"),
    spanId: "00000000000000ff",
    span: encodeSpan({ ...goldenRun.root!, spanId: "00000000000000ff", name: "GET /", attributes: {} }),
  };
  const { bytes } = writeEnvelope({ spans: [context, ...goldenRun.spans.map(({ scanned }) => scanned)] });
  const envelope = readEnvelope(bytes);
  expect(envelope).toMatchObject({ complete: true, manifest: { steps: 2, service: { name: "guide" } } });
  expect(envelope.spans).toHaveLength(4);
  expect(scanTraces(context.span.subarray(0, 0))).toEqual([]);
  expect(envelope.spans.map(({ scanned }) => decodeSpan(scanned.span).name)).toContain("GET /");
});
