import { patternProblem } from "../custom/pattern-problem.ts";
import type { Hit } from "../scan/hit.ts";
import type { Policy } from "../policy.ts";

/** Values that a policy lets stay although a rule finds them. */
export interface AllowList {
  has(value: string, hit: Pick<Hit, "type" | "canonical">): boolean;
}

/** The parts of `allow`, which may be the list of values alone. */
export interface Allowed {
  readonly values: readonly string[];
  readonly domains: readonly string[];
  readonly patterns: readonly string[];
}

const NONE: readonly string[] = [];
/** An address longer than this names no mailbox. */
const LONGEST_ADDRESS = 320;

export function allowedOf(allow: Policy["allow"]): Allowed {
  if (allow === undefined) return { values: NONE, domains: NONE, patterns: NONE };
  if (Array.isArray(allow)) return { values: allow, domains: NONE, patterns: NONE };
  const { values = NONE, domains = NONE, patterns = NONE } = allow;
  return { values, domains, patterns };
}

/**
 * Values stay as they are written. Of a domain and the domains below it, e-mail addresses stay. Of an expression, the
 * values that it matches from end to end. What a path denies goes all the same, unless its whole value is listed.
 * Throws for an expression that is not linear.
 */
export function createAllowList(allow: Policy["allow"]): AllowList {
  const { values, domains, patterns } = allowedOf(allow);
  const exact = new Set(values);
  const wanted = new Set(domains.map((domain) => domain.toLowerCase()));
  const expressions = patterns.map(wholeMatch);
  return {
    has(value, { type, canonical }) {
      if (exact.has(value)) return true;
      if (type === "FIELD") return false;
      if (wanted.size > 0 && type === "EMAIL" && isWithin(domainOf(canonical ?? value), wanted)) return true;
      return expressions.some((expression) => expression.test(value));
    },
  };
}

function wholeMatch(pattern: string): RegExp {
  const problem = patternProblem({ pattern, ignoreCase: false });
  if (problem !== null) throw new Error(`allow.patterns: ${problem}`);
  return new RegExp(`^(?:${pattern})$`, "u");
}

function domainOf(address: string): string {
  if (address.length > LONGEST_ADDRESS) return "";
  const at = /(?:@|%40)([^@%]+)$/i.exec(address);
  return at?.[1]?.toLowerCase() ?? "";
}

/** `mail.example.com` is within `example.com`, `notexample.com` is not. */
function isWithin(domain: string, wanted: ReadonlySet<string>): boolean {
  for (let from = 0; from < domain.length;) {
    if (wanted.has(domain.slice(from))) return true;
    const dot = domain.indexOf(".", from);
    if (dot === -1) return false;
    from = dot + 1;
  }
  return false;
}
