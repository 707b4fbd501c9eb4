import { randomBytes } from "node:crypto";
import { createScrubber, type Policy, ruleReason } from "@reenact/redaction";

export interface Tried {
  readonly text: string;
  readonly hits: readonly {
    readonly type: string;
    readonly rule: string;
    readonly why: string;
    readonly at: string;
    readonly start: number;
    readonly end: number;
  }[];
}

/**
 * Redacts a text with a new random key. With the key of a recorder, a user who may read runs could try values here until one gives a
 * token that he has seen in a run. The scrubber remembers texts, so each text gets its own.
 */
export async function tryRedaction(text: string, mime: string, policy: Policy | undefined): Promise<Tried> {
  const scrubber = createScrubber({ key: randomBytes(32), ...(policy !== undefined && { policy }) });
  await scrubber.prepare?.(text, { mime });
  const found = scrubber.explain(text, { mime });
  return { text: found.text, hits: found.hits.map((hit) => ({ ...hit, why: ruleReason(hit.rule) })) };
}
