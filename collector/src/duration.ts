const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `250ms`, `5s`, `10m`, `1.5h`, `30d` as milliseconds; null: it is none. */
export function parseDuration(text: string): number | null {
  const parts = /^([0-9]+(?:\.[0-9]+)?)(ms|s|m|h|d)$/.exec(text.trim());
  return parts ? Math.round(Number(parts[1]) * (UNITS[parts[2]!] ?? Number.NaN)) : null;
}
