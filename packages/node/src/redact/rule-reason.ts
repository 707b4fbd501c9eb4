import { redactionPackage } from "../own-code/lazy-packages.ts";

/** What the redaction rule with this id finds, in words: why a value was replaced. */
export function ruleReason(rule: string): string {
  return redactionPackage().ruleReason(rule);
}
