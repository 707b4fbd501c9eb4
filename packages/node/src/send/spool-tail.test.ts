import { appendFileSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { encodeFrame } from "../spool/frame.ts";
import { openTail } from "./spool-tail.ts";

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "tail-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const frames = fc.array(
  fc.oneof(
    fc.string(),
    fc.integer({ min: 0, max: 3_000_000 }).map((n) => "x".repeat(n)),
  ),
  {
    minLength: 1,
    maxLength: 6,
  },
);

test("however a file grows, each frame is read once, in order, with the place where it ends", () => {
  fc.assert(
    fc.property(frames, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }), (texts, cuts) => {
      const path = join(folder, "a.spool");
      const whole = Buffer.concat(texts.map((text) => encodeFrame("step", text)));
      const places = [0, ...cuts.map((cut) => Math.floor(cut * whole.length)).toSorted((a, b) => a - b), whole.length];
      writeFileSync(path, "");
      const tail = openTail(path)!;
      const read: string[] = [];
      for (let n = 1; n < places.length; n++) {
        appendFileSync(path, whole.subarray(places[n - 1], places[n]));
        for (let before = -1; before !== tail.at || tail.at < lastWhole(texts, places[n]!);) {
          before = tail.at;
          const found = tail.read();
          read.push(...found.map(({ payload }) => payload.toString()));
          if (found.length > 0) expect(tail.at).toBe(found.at(-1)!.end);
        }
      }
      tail.close();
      expect(read).toEqual(texts);
    }),
    { numRuns: 40 },
  );
});

/** Where the last frame ends that is whole below a length. */
function lastWhole(texts: readonly string[], length: number): number {
  let at = 0;
  for (const text of texts) {
    const next = at + 9 + Buffer.byteLength(text);
    if (next > length) break;
    at = next;
  }
  return at;
}

test("a file that another process took is seen to be gone; what is damaged for good is told", async () => {
  const path = join(folder, "a.spool");
  expect(openTail(path)).toBeNull();
  const good = encodeFrame("over", "a".repeat(32));
  const bad = Buffer.from(good);
  bad[20]! ^= 1;
  writeFileSync(path, Buffer.concat([good, bad, good]));
  const tail = openTail(path)!;
  expect(tail.read()).toHaveLength(1);
  expect(tail.read()).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 600));
  expect(() => tail.read()).toThrow(`damaged at ${good.length}`);
  expect(tail.isGone()).toBe(false);
  renameSync(path, join(folder, "a.claimed-1-ab"));
  expect(tail.isGone()).toBe(true);
  tail.close();
});
