import { createHash } from "node:crypto";
import { type RuleType, TYPES } from "./hit.ts";
import type { Policy } from "./policy.ts";
import { PROVIDER_KEYS } from "./provider-keys.ts";

/** A rule, as RULES.md describes it. `revision` goes up with every change of what it finds. */
export interface Rule {
  readonly type: RuleType;
  readonly finds: string;
  readonly revision: number;
}

const FINDS: Record<RuleType, Omit<Rule, "type">> = {
  PEM: { finds: "private keys in PEM, PGP and SSH armour", revision: 1 },
  JWT: { finds: "JSON Web Tokens, signed or encrypted", revision: 1 },
  KEY: { finds: "keys of providers, by prefix, alphabet and length", revision: 1 },
  CARD: { finds: "payment card numbers: issuer, length and Luhn", revision: 1 },
  EMAIL: { finds: "e-mail addresses", revision: 1 },
  SECRET: { finds: "known values: secret environment variables and sensitive(value)", revision: 1 },
  AUTH: { finds: "credentials by name: headers, members, parameters, assignments; user info of URLs", revision: 1 },
};

export const RULES: readonly Rule[] = TYPES.map((type) => ({ type, ...FINDS[type] }));

/** First 16 hex of SHA-256 over the rule table and the policy: equal hashes find the same things. */
export function rulesHash(policy: Policy): string {
  const keys = PROVIDER_KEYS.map(({ prefix, length, alphabet }) => [prefix, length, alphabet]);
  const facts = [RULES, keys, [...(policy.off ?? [])].sort(), [...(policy.allow ?? [])].sort(), policy.capUnits ?? 0];
  return createHash("sha256").update(JSON.stringify(facts)).digest("hex").slice(0, 16);
}
