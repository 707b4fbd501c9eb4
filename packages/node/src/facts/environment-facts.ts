import type { Scrubber } from "@reenact/capture";

/** Longer values are only measured. */
const LONGEST = 256;

/** Variables that runs of this process have read. A value under a secret name becomes one token. */
export function environmentFacts(
  reads: ReadonlyMap<string, string | undefined>,
  scrubber: Scrubber,
): Record<string, string | null | { length: number }> {
  const out: Record<string, string | null | { length: number }> = Object.create(null) as never;
  for (const [name, value] of reads) {
    if (value === undefined) out[name] = null;
    else out[name] = value.length > LONGEST ? { length: value.length } : scrubber.scrub(value, { key: name }).text;
  }
  return out;
}
