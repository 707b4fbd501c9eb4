import type { Step } from "@reenact/capture";
import { type Asked, sameContent } from "./compare.ts";
import type { Ledger } from "./ledger.ts";
import type { TapedStep } from "./tape.ts";

/**
 * The recorded step that a call is served from. The slot is the key and content the check; among siblings of one
 * path an equal request goes before the occurrence number, so that one dropped call does not shift all others.
 * `siblings` are the recorded steps of the call's place.
 */
export function findStep(siblings: readonly TapedStep[], ledger: Ledger, step: Step, asked: Asked | null): TapedStep | null {
  const free = (s: TapedStep): boolean => s.record.attempt === step.attempt && !ledger.met(s.index);
  const own = siblings.find((s) => s.record.n === step.n && free(s)) ?? null;
  if (asked === null || (own !== null && sameContent(asked, own))) return own;
  return siblings.find((s) => free(s) && sameContent(asked, s)) ?? own;
}
