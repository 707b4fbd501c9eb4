import fc from "fast-check";
import { expect, test } from "vitest";
import { encodeFrame, FRAME, type FrameKind, readFrames } from "./frame.ts";

const frame = fc.tuple(
  fc.constantFrom(...(Object.keys(FRAME) as FrameKind[])),
  fc.string({ unit: "binary", maxLength: 60 }),
);

test("what was written is read back, whole", () => {
  fc.assert(
    fc.property(fc.array(frame), (given) => {
      const { frames, damage } = readFrames(Buffer.concat(given.map(([kind, text]) => encodeFrame(kind, text))));
      expect(frames.map((f) => [f.kind, f.payload.toString()])).toEqual(given.map(([k, t]) => [k, t.toWellFormed()]));
      expect(damage).toEqual([]);
    }),
  );
});

test("small and large frames hold the same bytes, whatever they are put together from", () => {
  const text = fc.string({ unit: "binary", maxLength: 200 });
  const part = fc.oneof(text, fc.uint8Array({ maxLength: 200 }));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const small = encodeFrame("step", ...parts);
      const filled = Buffer.alloc(1024 * 1024, 65);
      const large = encodeFrame("step", ...parts, filled);
      const payload = Buffer.concat(parts.map((each) => Buffer.from(each as string)));
      const [one, two] = readFrames(Buffer.concat([small, large])).frames;
      expect(one?.payload).toEqual(payload);
      expect(two?.payload.equals(Buffer.concat([payload, filled]))).toBe(true);
    }),
    { numRuns: 40 },
  );
});

test("a torn end costs the last frame only, and is no damage", () => {
  const all = ["a", "bb", "ccc"].map((text) => encodeFrame("over", text));
  const file = Buffer.concat(all);
  const whole = all.length - 1;
  for (let cut = file.length - (all[whole] as Buffer).length; cut < file.length; cut++) {
    const { frames, damage } = readFrames(file.subarray(0, cut));
    expect(frames.length).toBe(whole);
    expect(damage).toEqual([]);
  }
});

test("a flipped bit anywhere costs one frame, and is told", () => {
  const all = ["first", "second", "third"].map((text) => encodeFrame("over", text));
  const file = Buffer.concat(all);
  const second = (all[0] as Buffer).length;
  const third = second + (all[1] as Buffer).length;
  for (let bit = second * 8; bit < third * 8; bit++) {
    const bad = Buffer.from(file);
    bad[bit >> 3] = (bad[bit >> 3] as number) ^ (1 << (bit & 7));
    const { frames, damage } = readFrames(bad);
    expect(frames.map((f) => f.payload.toString())).toEqual(["first", "third"]);
    expect(damage.length).toBe(1);
  }
});

test("any bytes are read without a fault", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void readFrames(Buffer.from(bytes))));
});
