import type { Scrubber } from "@reenact/capture";

/** Longer values are only measured. */
const LONGEST = 4096;

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

/** Names of all variables in their order, as a run first saw them, redacted; none where no run has listed them. */
export function nameFacts(names: readonly string[] | null, scrubber: Scrubber): { environmentNames?: string[] } {
  return names === null ? {} : { environmentNames: names.map((name) => scrubber.scrub(name).text) };
}
