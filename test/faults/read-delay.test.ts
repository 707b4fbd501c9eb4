import { expect, test } from "vitest";
import { readDelay } from "../bench/read-delay.mjs";
import { scale } from "../scale.ts";

const size = scale({ megabytes: 8, spans: 5_000 }, { megabytes: 60, spans: 20_000 }, { megabytes: 60, spans: 50_000 });
/** Milliseconds of processor. Elapsed time would say how busy the machine is. */
const MOST = 50;

test(
  `while ${size.megabytes} MB and ${size.spans} spans are read, the receiving thread works for less than ${MOST} ms at a time`,
  { timeout: 600_000 },
  async () => {
    for (const { reads, reading, count } of await readDelay({ ...size, rounds: 1, seconds: scale(0.5, 1, 3) })) {
      expect(count, reads).toBeGreaterThan(0);
      expect(reading.stretch, reads).toBeLessThan(MOST);
    }
  },
);
