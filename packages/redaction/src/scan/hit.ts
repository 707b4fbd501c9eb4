/** What the rules find. Also the order in which two hits on the same span are decided. */
export const TYPES = [
  "PEM",
  "JWT",
  "KEY",
  "WALLET",
  "CARD",
  "IBAN",
  "SSN",
  "NATIONAL_ID",
  "PASSPORT",
  "DRIVING_LICENCE",
  "EMAIL",
  "PHONE",
  "IP",
  "MAC",
  "BIRTH_DATE",
  "ADDRESS",
  "PERSON",
  "SECRET",
  "AUTH",
] as const;
export type RuleType = (typeof TYPES)[number];

/** A value found in a leaf. Offsets are UTF-16 units of the leaf as it was given. */
export interface Hit {
  readonly start: number;
  readonly end: number;
  /** a `RuleType`, or the type that `sensitive()` named */
  readonly type: string;
  /** id of the rule that found it, as RULES.md lists it */
  readonly rule?: string;
  /** what the token is derived from, when it is not simply the text of the hit */
  readonly canonical?: string;
}

const RANK: ReadonlyMap<string, number> = new Map(TYPES.map((type, rank) => [type, rank]));
const rank = (hit: Hit): number => RANK.get(hit.type) ?? RANK.get("SECRET") ?? 0;

/**
 * Sorted hits without overlaps. Of hits that touch the same text the one that covers them all wins, then the type's
 * rank; if none covers all, the union is taken, so that no part of a losing hit stays behind.
 */
export function settle(hits: Hit[]): Hit[] {
  // mostly they come in order and far apart
  if (hits.every((hit, i) => i === 0 || hit.start >= (hits[i - 1]?.end ?? 0))) return hits;
  hits.sort((a, b) => a.start - b.start || b.end - a.end || rank(a) - rank(b));
  const out: Hit[] = [];
  const [first, ...others] = hits;
  if (first === undefined) return out;
  let held = first;
  for (const hit of others) {
    if (hit.start >= held.end) {
      out.push(held);
      held = hit;
    } else held = join(held, hit);
  }
  out.push(held);
  return out;
}

function join(a: Hit, b: Hit): Hit {
  const start = Math.min(a.start, b.start);
  const end = Math.max(a.end, b.end);
  const covers = (hit: Hit): boolean => hit.start === start && hit.end === end;
  if (covers(a) && covers(b)) return rank(b) < rank(a) ? b : a;
  if (covers(a)) return a;
  if (covers(b)) return b;
  const first = rank(b) < rank(a) ? b : a;
  return { start, end, type: first.type, ...(first.rule === undefined ? {} : { rule: first.rule }) };
}
