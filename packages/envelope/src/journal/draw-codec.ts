import type { DrawLetter } from "./journal-event.ts";

/** Difference bases of one segment, per kind. */
export interface DrawBases {
  D: number;
  P: number;
  H: bigint;
}
export const freshBases = (): DrawBases => ({ D: 0, P: 0, H: 0n });

const RANDOM_UNIT = 2 ** 53;
const NANOS = 1e6;
const WHOLE = /^-?(?:0|[1-9][0-9]{0,29})$/;
const BASE36 = /^(?:0|[1-9a-z][0-9a-z]{0,10})$/;

/** The coded form of a draw, or null where it would not give back the very same value. Moves the bases. */
export function codeDraw(kind: DrawLetter, value: number | string, bases: DrawBases): string | null {
  if (kind === "H") {
    if (typeof value !== "string" || !WHOLE.test(value) || value === "-0") return null;
    const next = BigInt(value);
    const difference = String(next - bases.H);
    if (!WHOLE.test(difference)) return null;
    bases.H = next;
    return difference;
  }
  if (typeof value !== "number" || Object.is(value, -0)) return null;
  switch (kind) {
    case "D": {
      if (!Number.isSafeInteger(value) || !Number.isSafeInteger(value - bases.D)) return null;
      const difference = value - bases.D;
      bases.D = value;
      return String(difference);
    }
    case "P": {
      const nanos = Math.round(value * NANOS);
      if (!Number.isSafeInteger(nanos) || nanos / NANOS !== value || !Number.isSafeInteger(nanos - bases.P))
        return null;
      const difference = nanos - bases.P;
      bases.P = nanos;
      return String(difference);
    }
    case "R": {
      const units = value * RANDOM_UNIT;
      return value >= 0 && value < 1 && Number.isInteger(units) ? units.toString(36) : null;
    }
    case "N":
    case "M":
    case "W":
    case "G":
      return Number.isSafeInteger(value) ? String(value) : null;
    default:
      return null;
  }
}

/** The value of a coded form; null for one that this kind cannot have. Moves the bases. */
export function decodeDraw(kind: DrawLetter, code: string, bases: DrawBases): number | string | null {
  if (kind === "R") return BASE36.test(code) ? Number.parseInt(code, 36) / RANDOM_UNIT : null;
  if (!WHOLE.test(code) || code === "-0") return null;
  switch (kind) {
    case "D":
      return (bases.D += Number(code));
    case "P":
      return (bases.P += Number(code)) / NANOS;
    case "H":
      return String((bases.H += BigInt(code)));
    case "N":
    case "M":
    case "W":
    case "G":
      return Number(code);
    default:
      return null;
  }
}

/** `=` form: the shortest decimal that gives the same double, NaN, Infinity, -Infinity, -0. */
export const codeReal = (value: number): string => `=${Object.is(value, -0) ? "-0" : String(value)}`;

const REAL = /^(?:-?(?:[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?|Infinity)|NaN)$/;
export const decodeReal = (text: string): number | null => (REAL.test(text) ? Number(text) : null);
