import { expect, test } from "vitest";
import { expiryNow, receivedNow } from "./clock.ts";

const YEAR = 365 * 86_400_000;
const after = (jump: number) => ({ wall: () => Date.now() + jump, elapsed: () => performance.now() });

test.each([-20 * YEAR, -86_400_000, 0, 86_400_000, 20 * YEAR])(
  "a clock that jumps by %i ms takes nothing away",
  (jump) => {
    const clock = after(jump);
    // received no earlier, expired no sooner than by the clock of before
    expect(receivedNow(clock)).toBeGreaterThan(Date.now() - 1_000);
    expect(expiryNow(clock)).toBeLessThan(Date.now() + 1_000);
  },
);
