import { RULES } from "./rules.ts";

/** What stands in findings like the id of a rule, and is none. */
const OTHERS: Readonly<Record<string, string>> = {
  "path.deny": "the policy denies this path",
  "scan.failed": "it could not be scanned: over the length or the time that is allowed, or a fault",
  "media.drop": "the policy leaves media out",
};
const PATTERN = "custom-";

let byId: Map<string, string> | null = null;

/** Why a value was found, in words: what its rule finds. */
export function ruleReason(rule: string): string {
  byId ??= new Map(RULES.map(({ id, type, finds }) => [id, inWords(type, id, finds)]));
  const known = byId.get(rule) ?? OTHERS[rule];
  if (known !== undefined) return known;
  if (rule.startsWith(PATTERN)) return `a pattern of the policy for ${rule.slice(PATTERN.length).toUpperCase()}`;
  return /^[A-Z][A-Z_]*$/.test(rule) ? "several rules together" : `the detector ${rule} of the policy`;
}

function inWords(type: string, id: string, finds: string): string {
  if (type === "NATIONAL_ID") return `national or tax ids: ${finds}`;
  return type === "KEY" && id !== "key.wallet-private" ? `keys and tokens: ${finds}` : finds;
}
