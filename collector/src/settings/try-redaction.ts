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
 * What redaction makes of a text. Its key is drawn here: with that of a recorder, whoever may read runs could find out which value a token
 * stands for, by trying values. The scrubber remembers texts, so it is made for this text alone.
 */
export async function tryRedaction(text: string, mime: string, policy: Policy | undefined): Promise<Tried> {
  const scrubber = createScrubber({ key: randomBytes(32), ...(policy !== undefined && { policy }) });
  await scrubber.prepare?.(text, { mime });
  const found = scrubber.explain(text, { mime });
  return { text: found.text, hits: found.hits.map((hit) => ({ ...hit, why: ruleReason(hit.rule) })) };
}
