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

interface Code {
  /** null: this form would not give back the very same value */
  encode(value: number, bases: DrawBases): string | null;
  decode(code: string, bases: DrawBases): number;
}

const WHOLE_NUMBER: Code = {
  encode: (value) => (Number.isSafeInteger(value) ? String(value) : null),
  decode: Number,
};

/** Of draws that are numbers; every code but that of `R` is a decimal. */
const NUMBERS: Readonly<Partial<Record<DrawLetter, Code>>> = {
  D: {
    encode(value, bases) {
      const difference = value - bases.D;
      if (!Number.isSafeInteger(value) || !Number.isSafeInteger(difference)) return null;
      bases.D = value;
      return String(difference);
    },
    decode: (code, bases) => (bases.D += Number(code)),
  },
  P: {
    encode(value, bases) {
      const nanos = Math.round(value * NANOS);
      const difference = nanos - bases.P;
      if (!Number.isSafeInteger(nanos) || nanos / NANOS !== value || !Number.isSafeInteger(difference)) return null;
      bases.P = nanos;
      return String(difference);
    },
    decode: (code, bases) => (bases.P += Number(code)) / NANOS,
  },
  R: {
    encode(value) {
      const units = value * RANDOM_UNIT;
      return value >= 0 && value < 1 && Number.isInteger(units) ? units.toString(36) : null;
    },
    decode: (code) => Number.parseInt(code, 36) / RANDOM_UNIT,
  },
  N: WHOLE_NUMBER,
  M: WHOLE_NUMBER,
  W: WHOLE_NUMBER,
  G: WHOLE_NUMBER,
};

/** The coded form of a draw, or null where it would not give back the very same value. Moves the bases. */
export function codeDraw(kind: DrawLetter, value: number | string, bases: DrawBases): string | null {
  if (kind === "H") return typeof value === "string" ? codeBig(value, bases) : null;
  if (typeof value !== "number" || Object.is(value, -0)) return null;
  return NUMBERS[kind]?.encode(value, bases) ?? null;
}

function codeBig(value: string, bases: DrawBases): string | null {
  if (!isWhole(value)) return null;
  const next = BigInt(value);
  const difference = String(next - bases.H);
  if (!WHOLE.test(difference)) return null;
  bases.H = next;
  return difference;
}

/** The value of a coded form; null for one that this kind cannot have. Moves the bases. */
export function decodeDraw(kind: DrawLetter, code: string, bases: DrawBases): number | string | null {
  if (kind === "R" ? !BASE36.test(code) : !isWhole(code)) return null;
  if (kind === "H") return String((bases.H += BigInt(code)));
  return NUMBERS[kind]?.decode(code, bases) ?? null;
}

const isWhole = (text: string): boolean => WHOLE.test(text) && text !== "-0";

/** `=` form: the shortest decimal that gives the same double, NaN, Infinity, -Infinity, -0. */
export const codeReal = (value: number): string => `=${Object.is(value, -0) ? "-0" : String(value)}`;

const REAL = /^(?:-?(?:[0-9]+(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?|Infinity)|NaN)$/;
export const decodeReal = (text: string): number | null => (REAL.test(text) ? Number(text) : null);
