import { InvalidArgumentError } from "commander";

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const AROUND = 15 * 60_000;

/** `2026-11-20T16:00±1h` (`+-1h` will do, ±15 minutes without it) in the zone of this machine, if it names none. */
export function momentOf(text: string): { from: number; to: number } {
  const [, time = "", size, unit = ""] =
    /^(.+?)(?:\s*(?:±|\+-|\+\/-)\s*([0-9]+(?:\.[0-9]+)?)(ms|s|m|h|d))?$/.exec(text.trim()) ?? [];
  const at = Date.parse(time);
  if (Number.isNaN(at)) throw new InvalidArgumentError("It is a time: 2026-11-20T16:00±1h.");
  const width = size === undefined ? AROUND : Number(size) * (UNITS[unit] ?? 0);
  return { from: at - width, to: at + width };
}
