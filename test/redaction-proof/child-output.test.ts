import { bytesOfOutput, outputChunk } from "@reenact/capture/recorder";
import { decodeValue, encodeValue, VALUE_LINES_MIME } from "@reenact/envelope";
import { createScrubber } from "@reenact/redaction";
import fc from "fast-check";
import { expect, test } from "vitest";
import { scale } from "../scale.ts";

const RUNS = scale(60, 150, 2000);
const scrubber = createScrubber({ key: Buffer.alloc(32, 5) });
const secret = fc.stringMatching(/^[A-Za-z0-9]{40}$/).map((text) => `sk-ant-api03-${text}${text}AA`);
const noise = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom("\n", "€", "𝄞", "é ", "\0", " "),
);

/** Bytes in chunks of any size. */
function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    chunks.push(bytes.subarray(at, at + size));
    at += size;
  }
  return chunks;
}

const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 6 });

test("the bytes of a chunk come back as they were, wherever they were cut", () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 60 }).map((each) => Buffer.from(each)),
    fc.string({ unit: "binary", maxLength: 30 }).map((text) => Buffer.from(text)),
  );
  fc.assert(
    fc.property(bytes, sizes, (whole, at) => {
      const back = cut(whole, at).map((chunk) =>
        bytesOfOutput(decodeValue(encodeValue(outputChunk(chunk)).text) as never),
      );
      expect(Buffer.concat(back).equals(whole)).toBe(true);
    }),
    { numRuns: RUNS },
  );
});

test("a secret in the output of a child is not recorded, wherever it was cut into chunks", () => {
  fc.assert(
    fc.property(
      fc.array(noise, { maxLength: 6 }),
      secret,
      fc.array(noise, { maxLength: 4 }),
      sizes,
      (before, key, after, at) => {
        const whole = Buffer.from(`${before.join("")} ${key} ${after.join("")}`.toWellFormed());
        const events = cut(whole, at).map((chunk) => {
          const { text, ...rest } = outputChunk(chunk);
          return { stdout: text, ...rest };
        });
        // a text that is no secret where it is whole is none in pieces
        fc.pre(!scrubber.scrub(whole.toString()).text.includes(key.slice(13, 40)));
        const lines = events.map((event) => encodeValue(event).text);
        const hint = { mime: VALUE_LINES_MIME };
        const kept = scrubber.scrub(lines.join("\n"), hint).text.split("\n");
        expect(kept).toHaveLength(lines.length);
        const out = kept.map((line) => {
          const { stdout, ...rest } = decodeValue(line) as { stdout: string };
          return bytesOfOutput({ text: stdout, ...rest });
        });
        const text = Buffer.concat(out).toString("latin1");
        expect(text).not.toContain(key.slice(13, 40));
        expect(text).not.toContain(key.slice(-30));
      },
    ),
    { numRuns: RUNS },
  );
});
