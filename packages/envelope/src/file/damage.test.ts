import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ATTR } from "../schema/attributes.ts";
import { EnvelopeError } from "../envelope-error.ts";
import { encodeSpan } from "../otlp/span.ts";
import { readEnvelope } from "./read-envelope.ts";
import { readManifest } from "./read-manifest.ts";
import { writeEnvelope } from "./write-envelope.ts";

const folder = join(import.meta.dirname, "../../../../test/fixtures/envelopes");
const golden = readFileSync(join(folder, "v1-parallel-calls.reenact"));
const goldenRun = readEnvelope(golden);

/** A run of many steps with incompressible payloads, so that it has several blocks. */
function longRun(): Uint8Array {
  const template = goldenRun.steps[0]!;
  const record = JSON.parse(String(template.span.attributes[ATTR.record])) as Record<string, unknown>;
  let seed = 7;
  const noise = () =>
    Array.from({ length: 20_000 }, () => String.fromCharCode(33 + ((seed = (seed * 16807) % 2147483647) % 90))).join(
      "",
    );
  const spans = Array.from({ length: 40 }, (_, step) => {
    const text = JSON.stringify({ ...record, step, n: step, journal: undefined });
    const attributes = {
      ...template.span.attributes,
      [ATTR.record]: text,
      [ATTR.recordLength]: text.length,
      [ATTR.inputValue]: noise(),
    };
    const spanId = step.toString(16).padStart(16, "0");
    return { ...template.scanned, span: encodeSpan({ ...template.span, attributes, spanId }), spanId };
  });
  return writeEnvelope({ spans }).bytes;
}

describe("damage", () => {
  const long = longRun();
  const whole = readEnvelope(long);
  const ids = whole.spans.map(({ span }) => span.spanId);

  test("a damaged tail is read up to the damage", () => {
    for (const share of [0.999, 0.8, 0.5, 0.3]) {
      const cut = long.subarray(0, Math.floor(long.length * share));
      expect(() => readEnvelope(cut)).toThrow(new RegExp(`TRUNCATED|ends after ${cut.length} of ${long.length} bytes`));
      const tolerant = readEnvelope(cut, { damaged: "read-up-to" });
      expect(tolerant.damage).toMatchObject({ code: "TRUNCATED", offset: cut.length });
      expect(tolerant.incompleteReasons[0]).toContain(`ends after ${cut.length} of ${long.length} bytes`);
      const found = tolerant.spans.map(({ span }) => span.spanId);
      expect(found).toEqual(ids.slice(0, found.length));
      // A zstd block holds 128 KiB, some six of these spans: no more than that is lost.
      expect(found.length).toBeGreaterThan(ids.length * share - 8);
    }
  });

  const spansOf = (bytes: Uint8Array) =>
    readEnvelope(bytes).spans.map(({ scanned }) => Buffer.from(scanned.span).toString("base64"));
  const isRefused = (bytes: Uint8Array) => {
    try {
      readEnvelope(bytes);
      return false;
    } catch (error) {
      expect(error).toBeInstanceOf(EnvelopeError);
      return true;
    }
  };

  test("a flipped bit anywhere is found, and what is before it is read", () => {
    const { length: start } = readManifest(long);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: long.length - 1 }), fc.integer({ min: 0, max: 7 }), (at, bit) => {
        const bytes = Uint8Array.from(long);
        bytes[at]! ^= 1 << bit;
        // The retention class is a label of the copy, in no digest; its values are no single bit apart.
        // A few bits of a zstd frame mean nothing: then the very same run must come out.
        if (!isRefused(bytes)) {
          expect(spansOf(bytes)).toEqual(spansOf(long));
          return;
        }
        if (at < start) return;
        try {
          const tolerant = readEnvelope(bytes, { damaged: "read-up-to" });
          expect(tolerant.damage).toBeInstanceOf(EnvelopeError);
          expect(tolerant.complete).toBe(false);
          const found = tolerant.spans.map(({ span }) => span.spanId);
          expect(found).toEqual(ids.slice(0, found.length));
        } catch (error) {
          expect(error).toBeInstanceOf(EnvelopeError);
        }
      }),
      { numRuns: 60 },
    );
  });

  test("random cuts of a small envelope never crash", () => {
    for (let length = 0; length < golden.length; length++) {
      for (const damaged of ["refuse", "read-up-to"] as const) {
        try {
          const { damage } = readEnvelope(golden.subarray(0, length), { damaged });
          expect(damaged).toBe("read-up-to");
          expect(damage).not.toBeNull();
        } catch (error) {
          expect(error).toBeInstanceOf(EnvelopeError);
        }
      }
    }
  });

  test("random bytes never crash", () => {
    const start = Array.from(golden.subarray(0, 14));
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (bytes, dressed) => {
        expect(() =>
          readEnvelope(dressed ? Uint8Array.from([...start, ...bytes]) : bytes, { damaged: "read-up-to" }),
        ).toThrow(EnvelopeError);
      }),
      { numRuns: 300 },
    );
  });
});
