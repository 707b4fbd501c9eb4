import { createScrubber } from "@reenact/redaction";
import { prose } from "./prose.mjs";
import { median } from "./statistics.mjs";
import { threadTime } from "./thread-time.mjs";

const BYTES = 50 * 1024;

/** Megabytes per second of this thread, over texts that were never seen: `{ plain, json }`. */
export function redactionSpeed(times) {
  const scrubber = createScrubber({ key: Buffer.alloc(32, 7) });
  const rate = (textOf, hint) => {
    const speeds = [];
    for (let i = -3; i < times; i++) {
      const text = textOf(i);
      const before = threadTime();
      scrubber.scrub(text, hint);
      if (i >= 0) speeds.push(text.length / Math.max(1, threadTime() - before));
    }
    return median(speeds);
  };
  return {
    plain: rate((i) => prose(BYTES, 10_000 + i), {}),
    json: rate(
      (i) =>
        JSON.stringify({
          messages: [25, 26].map((n) => ({ role: "user", content: prose(BYTES / 2, n * 10_000 + i) })),
        }),
      { mime: "application/json" },
    ),
  };
}
