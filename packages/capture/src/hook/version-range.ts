import type { VersionRange } from "./hooked-file.ts";

/** Whether the version, as in a package.json, is in the range. Numbers only: a pre-release counts as its release. */
export function isWithin(version: string, { from, below }: VersionRange): boolean {
  return compare(version, from) >= 0 && compare(version, below) < 0;
}

function compare(a: string, b: string): number {
  const parts = (version: string): number[] => version.split("-")[0]?.split(".").map(Number) ?? [];
  const [left, right] = [parts(a), parts(b)];
  const at = [0, 1, 2].find((n) => (left[n] ?? 0) !== (right[n] ?? 0));
  return at === undefined ? 0 : (left[at] ?? 0) - (right[at] ?? 0);
}
