import { dollars as known, duration } from "@reenact/view/text";

export { duration };

const whole = new Intl.NumberFormat("en-US");
export const number = (value: number): string => whole.format(value);

/** A dash where it is not known. */
export const dollars = (value: number | null): string => (value === null ? "–" : known(value));

export function bytes(value: number): string {
  if (value < 1000) return `${value} B`;
  return value < 1e6 ? `${(value / 1e3).toFixed(1)} kB` : `${(value / 1e6).toFixed(1)} MB`;
}

const STEPS = [
  [60, "s"],
  [60, "min"],
  [24, "h"],
  [Infinity, "d"],
] as const;

/** How long ago: `12 s`, `5 min`, `3 h`, `12 d`. */
export function age(then: number, now: number): string {
  let value = Math.max(0, (now - then) / 1000);
  for (const [size, unit] of STEPS) {
    if (value < size) return `${Math.floor(value)} ${unit}`;
    value /= size;
  }
  return "";
}

const date = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "medium" });
export const moment = (then: number): string => date.format(then);

/** JSON with line breaks; another text, a short and a large one as it is. */
export function pretty(text: string): string {
  if (text.length <= 72 || text.length > 256 * 1024 || !/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
