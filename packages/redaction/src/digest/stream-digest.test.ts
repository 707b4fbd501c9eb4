import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";
import { StreamDigest } from "./stream-digest.ts";
import { TokenAlignment } from "../token/token-alignment.ts";

const scrubbers = [1, 2].map((byte) => createScrubber({ key: Buffer.alloc(32, byte) }));
const [then, now] = scrubbers as [(typeof scrubbers)[0], (typeof scrubbers)[0]];
const TEXT = "mail alice@example.com\nthen bob@example.com é 日本 alice@example.com\nno line end";

/** Without the lines, in which tokens have the name that their key gives them. */
function digest(scrubber: typeof then, text: string, size: number): { sha256: string; bytes: number } {
  const out = new StreamDigest(scrubber);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) out.write(bytes.subarray(at, at + size));
  const { sha256, bytes: length } = out.end();
  return { sha256, bytes: length };
}

test("does not depend on the key nor on the cuts", () => {
  const whole = digest(then, TEXT, 1e6);
  for (const size of [1, 2, 7, 30]) {
    expect(digest(then, TEXT, size)).toEqual(whole);
    expect(digest(now, TEXT, size)).toEqual(whole);
  }
  expect(whole.bytes).toBe(
    Buffer.byteLength(
      TEXT.split("\n")
        .map((l) => then.scrub(l).text)
        .join("\n"),
    ),
  );
});

test("a stack trace ends where it enters the recorder, as lines and in JSON, whatever the cuts", () => {
  const agent = ["    at tool (/app/a.mjs:1:2)", "    at async node:internal/x:1:1"];
  const recorded = [
    "    at ring (/app/node_modules/@reenact/capture/dist/index.js:1:2)",
    "    at list (node:timers:1:1)",
  ];
  const replayed = ["    at #b (/app/node_modules/@reenact/replay/dist/session.js:1:2)"];
  const text = (frames: string[]): string => {
    const stack = ["Error: x", ...frames].join("\n");
    return `${stack}\n${JSON.stringify({ err: { stack, n: 1 } })}\n${JSON.stringify(JSON.stringify({ stack }))}\nend`;
  };
  const [then_, now_] = [text([...agent, ...recorded]), text([...agent, ...replayed])];
  const expected = digest(then, then_, 1e6);
  for (const size of [1, 7, 1e6]) expect(digest(now, now_, size)).toEqual(expected);
  expect(digest(then, text([...agent.slice(0, 1), ...recorded]), 9)).not.toEqual(expected);
  expect(digest(then, then_.replace('"n":1', '"n":2'), 9)).not.toEqual(expected);
  expect(digest(then, `${then_} at @reenact`, 9)).not.toEqual(expected);
});

test("bytes that are not UTF-8 are other bytes, however they are cut", () => {
  const of = (...parts: number[][]): unknown => {
    const out = new StreamDigest(then);
    for (const part of parts) out.write(Uint8Array.from(part));
    const { sha256, lines } = out.end();
    return { sha256, lines };
  };
  expect(of([0xff, 0x41])).not.toEqual(of([0xfe, 0x41]));
  expect(of([0xff, 0x41])).toMatchObject({ lines: ["\ufffd{ff}A"] });
  expect(of([0xe2, 0x82], [0x41])).not.toEqual(of([0xe2, 0x83], [0x41]));
  expect(of([0xe2, 0x82], [0xac])).toEqual(of([0xe2, 0x82, 0xac]));
  const bytes = fc.array(fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0xe2, 0x82, 0xf0, 0x9f)), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(bytes, bytes, fc.nat(12), (a, b, cut) => {
      expect(of(a.slice(0, cut), a.slice(cut))).toEqual(of(a));
      if (a.join() !== b.join()) expect(of(a)).not.toEqual(of(b));
    }),
  );
});

test("a value behind a byte that is not UTF-8 is found", () => {
  const out = new StreamDigest(then);
  out.write(Buffer.concat([Buffer.from([0xff]), Buffer.from("alice@example.com")]));
  expect(out.end().lines.join()).not.toContain("alice");
});

test("tells one value from another, and one text from another", () => {
  expect(digest(then, TEXT.replace("alice", "bob"), 5).sha256).not.toBe(digest(then, TEXT, 5).sha256);
  expect(digest(then, `${TEXT} `, 5).sha256).not.toBe(digest(then, TEXT, 5).sha256);
});

test("a value that comes back as its recorded token counts as that value, once aligned", () => {
  const run = new TokenAlignment();
  run.align(then.scrub("alice@example.com").text, now.scrub("alice@example.com").text);
  const replay = new StreamDigest(now);
  replay.write(TEXT.replace("é 日本 alice@example.com", `é 日本 ${then.scrub("alice@example.com").text}`));
  expect(replay.end((token) => run.translate(token))).toMatchObject(digest(then, TEXT, 9));
});

test("key blocks over lines, and lines without end", () => {
  const block = "a\n-----BEGIN PRIVATE KEY-----\nMIIE\nMIIE\n-----END PRIVATE KEY-----\nb\n";
  expect(digest(then, block, 4).bytes).toBe(Buffer.byteLength(then.scrub(block).text));
  const long = "x".repeat(2.5 * 1024 * 1024);
  expect(digest(then, long, 65_536)).toEqual(digest(now, long, 1_000_003));
});

test("a line that says what stands in the next one is read with it, whatever the cuts", () => {
  const rows = Array.from({ length: 400 }, (_, i) => `${i},x${i}-Zebra4-lock`);
  const printed = `id,password\n${rows.join("\n")}\npassword: >-\n  vq7-Tangerine-88\n`;
  const lines = (size: number): string[] => {
    const out = new StreamDigest(then);
    for (let at = 0; at < printed.length; at += size) out.write(printed.slice(at, at + size));
    return out.end().lines;
  };
  expect(lines(7).join("\n")).not.toMatch(/Zebra|Tangerine/);
  expect(lines(7)).toEqual(lines(1e6));
});

describe("lines above 64 KiB", () => {
  const scrubber = createScrubber({ key: Buffer.alloc(32, 6) });
  const long = "mail bob@example.com, ".repeat(5000);
  const printed = `first ann@example.com\n${long}\nbetween bob@example.com\n${long.toUpperCase()}\nlast\n`;
  const alone = (): unknown => {
    const digest = new StreamDigest({ scrub: scrubber.scrub });
    digest.write(printed);
    return digest.end();
  };
  function digestOf(answer: (text: string) => Promise<string | null>): { digest: StreamDigest; readHere: number[] } {
    const readHere: number[] = [];
    const scrub: typeof scrubber.scrub = (text, hint) => {
      readHere.push(text.length);
      return scrubber.scrub(text, hint);
    };
    const digest = new StreamDigest({ scrub, scrubElsewhere: answer });
    for (let at = 0; at < printed.length; at += 10_000) digest.write(printed.slice(at, at + 10_000));
    return { digest, readHere };
  }

  test("are scrubbed by another thread, and stand in their order whenever it answers", async () => {
    const answers: (() => void)[] = [];
    const { digest, readHere } = digestOf(
      (text) => new Promise((resolve) => answers.unshift(() => resolve(scrubber.scrub(text).text))),
    );
    expect(answers).toHaveLength(2);
    for (const answer of answers) {
      answer();
      await Promise.resolve();
    }
    await new Promise(setImmediate);
    expect(digest.end()).toEqual(alone());
    expect(Math.max(...readHere)).toBeLessThan(64 * 1024);
  });

  test("are scrubbed here once the output ends, and where the thread cannot", async () => {
    const { digest } = digestOf((text) => Promise.resolve(scrubber.scrub(text).text));
    expect(digest.end()).toEqual(alone());
    const lost = digestOf(() => Promise.resolve(null));
    await new Promise(setImmediate);
    expect(lost.digest.end()).toEqual(alone());
  });
});
