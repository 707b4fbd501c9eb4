import type { ChunkCut } from "@reenact/envelope";
import fc from "fast-check";
import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { moveCuts, scrubBody, scrubHeaders, Tally } from "./scrub-exchange.ts";
import type { Scrubber } from "./scrubber.ts";
import type { Edit } from "./scrubbed.ts";

/** Replaces every `secret` by a word of another length. */
const scrubber: Scrubber = {
  policy: "test",
  rules: "0",
  kid: "abcd",
  scrub(text, hint) {
    if (hint?.key === "authorization")
      return { text: "AUTH", edits: [{ start: 0, end: text.length, with: "AUTH" }], counts: { AUTH: 1 } };
    const edits: Edit[] = [...text.matchAll(/secret/g)].map((m) => ({
      start: m.index,
      end: m.index + 6,
      with: "TOKEN_LONGER",
    }));
    return {
      text: text.replaceAll("secret", "TOKEN_LONGER"),
      edits,
      counts: edits.length === 0 ? {} : { SECRET: edits.length },
    };
  },
  addKnown() {},
};

const cutsOf = (lengths: readonly number[]): ChunkCut[] => lengths.map((n, i) => [i, n, i]);

describe("moveCuts", () => {
  it("keeps the number of chunks, and their sum is the new length", () => {
    const part = fc.oneof(fc.constant("secret"), fc.string({ unit: "grapheme", maxLength: 6 }));
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 8 }), (parts, marks) => {
        const text = parts.join("").toWellFormed();
        const bytes = Buffer.byteLength(text);
        const at = [...new Set(marks.map((m) => m % (bytes + 1)))].sort((a, b) => a - b);
        const lengths = [...at, bytes].map((end, i) => end - (i === 0 ? 0 : (at[i - 1] as number)));
        const { text: scrubbed, edits } = scrubber.scrub(text);
        const moved = moveCuts(text, edits, cutsOf(lengths));
        expect(moved).toHaveLength(lengths.length);
        expect(moved.every(([, n]) => n >= 0)).toBe(true);
        expect(moved.reduce((sum, [, n]) => sum + n, 0)).toBe(Buffer.byteLength(scrubbed));
      }),
    );
  });

  it("puts a replacement whole into the chunk in which the hit began", () => {
    const { edits } = scrubber.scrub("ab secret cd");
    expect(moveCuts("ab secret cd", edits, cutsOf([5, 7])).map(([, n]) => n)).toEqual([15, 3]);
  });

  it("changes nothing without edits", () => {
    const cuts = cutsOf([3, 4]);
    expect(moveCuts("abcdefg", [], cuts)).toBe(cuts);
  });
});

describe("scrubBody", () => {
  it("keeps bytes that are no text, and says which they are", () => {
    const bytes = new Uint8Array([0xff, 0xfe, 0x00]);
    expect(scrubBody(scrubber, bytes, "audio/mpeg", null, null, new Tally())).toEqual({
      text: null,
      changed: false,
      bytes,
      cuts: null,
    });
  });

  it("leaves a compressed body as it was when nothing in it had to go", () => {
    const bytes = gzipSync("harmless");
    expect(scrubBody(scrubber, bytes, "text/plain", "gzip", cutsOf([bytes.length]), new Tally()).bytes).toBe(bytes);
  });

  it("compresses again what had to be scrubbed", () => {
    const tally = new Tally();
    const bytes = gzipSync("a secret");
    const out = scrubBody(scrubber, bytes, "text/plain", "gzip", cutsOf([4, bytes.length - 4]), tally);
    expect(gunzipSync(out.bytes as Uint8Array).toString()).toBe("a TOKEN_LONGER");
    expect(out.cuts).toEqual([[1, out.bytes?.length, 1]]);
    expect(tally.counts).toEqual({ SECRET: 1 });
  });

  it("never lets out what it cannot decode", () => {
    const out = scrubBody(scrubber, Buffer.from("not gzip: secret"), "text/plain", "gzip", null, new Tally());
    expect(out.text).toBe("UNSCANNED_16");
    expect(out.bytes).toBeNull();
  });

  it("scans the text parts of a form that holds a file", () => {
    const form = Buffer.concat([
      Buffer.from("--b\r\n\r\nsecret\r\n--b\r\n\r\n"),
      Buffer.from([0xff, 0x80]),
      Buffer.from("\r\n--b--"),
    ]);
    const out = scrubBody(scrubber, form, "multipart/form-data; boundary=b", null, null, new Tally());
    expect(Buffer.from(out.bytes as Uint8Array).toString("latin1")).toContain("TOKEN_LONGER");
    expect(Buffer.from(out.bytes as Uint8Array).includes(Buffer.from([0xff, 0x80]))).toBe(true);
  });
});

it("scrubs each header under its own name", () => {
  const out = scrubHeaders(
    scrubber,
    [
      ["X-A", "secret"],
      ["authorization", "Bearer x"],
    ],
    new Tally(),
  );
  expect(out).toEqual([
    ["X-A", "TOKEN_LONGER"],
    ["authorization", "AUTH"],
  ]);
});
