import type { RedactingScrubber } from "@reenact/redaction";

export function measure(
  scrubber: RedactingScrubber,
  size: { values: number; identifiers: number; seed: number },
): { rows: string[]; failed: string[] };
