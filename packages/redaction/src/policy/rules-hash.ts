import { createHash } from "node:crypto";
import { FAMILIES } from "../detect/national/families.ts";
import type { Policy } from "../policy.ts";
import { policyFacts } from "./policy-facts.ts";
import { PROVIDER_KEYS } from "./provider-keys.ts";
import { OWN_RULES } from "./rules.ts";

/** First 16 hex of SHA-256 over the rule table and the policy: equal hashes find the same things. */
export function rulesHash(policy: Policy): string {
  const families = FAMILIES.map(({ id, length, shapes, words, form, named }) => [
    id,
    length,
    shapes,
    words,
    form?.source,
    named,
  ]);
  const facts = [OWN_RULES, families, PROVIDER_KEYS, policyFacts(policy)];
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 16);
}
