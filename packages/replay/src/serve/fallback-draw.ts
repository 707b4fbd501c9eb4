import { createHash } from "node:crypto";
import type { DrawKind } from "@reenact/capture/recorder";

const last = new Map<string, string | number>();
let count = 0;

/**
 * A draw that the record does not hold. A clock repeats its last value; a random source continues from a seed made
 * of the run and the interval, so that two replays still agree.
 */
export function fallbackDraw(
  runId: string,
  interval: number,
  kind: DrawKind,
  scope: number,
  real: () => string | number,
): string | number {
  const bytes = createHash("sha256").update(`${runId} ${interval} ${kind} ${scope} ${count++}`).digest();
  switch (kind) {
    case "D":
    case "P":
    case "H":
    case "T": {
      const value = last.get(kind) ?? real();
      last.set(kind, value);
      return value;
    }
    case "R":
      return bytes.readUIntBE(0, 6) / 2 ** 48;
    case "U": {
      const hex = bytes.toString("hex");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
    }
    case "B":
    case "N":
    case "M":
    case "G":
      return real(); // the length, or the range, is known only to the real source
  }
}

/** Remembers the last recorded value of a clock. */
export function drewClock(kind: DrawKind, value: string | number): void {
  last.set(kind, value);
}
