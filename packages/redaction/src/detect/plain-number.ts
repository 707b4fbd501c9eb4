import { isDigit, isWord } from "./character.ts";
import { beginsStreet } from "./street-address.ts";

const LONGEST = 5;
/** what a name of a month, `st`, `of` or a street's first word in small letters begins with */
const HEADS = new Set([..."jfmasondrbcplge"].map((c) => c.charCodeAt(0)));
const [SPACE, COMMA, POINT, DASH, SLASH, PLUS, OPEN, ZERO, UNDERSCORE, BACKSLASH] = [
  32, 44, 46, 45, 47, 43, 40, 48, 95, 92,
];

/**
 * End of the few digits at `at` if they stand so alone that no rule takes them, whatever is announced; -1: a closer look
 * is needed. Most numbers of JSON, code and prose end here.
 */
export function plainNumberEnd(text: string, at: number, from: number, to: number): number {
  if (text.charCodeAt(at) === ZERO || !mayStandBefore(at === from ? SPACE : text.charCodeAt(at - 1))) return -1;
  let end = at + 1;
  while (end < to && isDigit(text.charCodeAt(end))) end++;
  if (end - at > LONGEST) return -1;
  if (at > from && text.charCodeAt(at - 1) === SPACE && isName(text, at - 2, from)) return -1;
  if (end === to) return end;
  const unit = text.charCodeAt(end);
  if (unit > 127 || isWord(unit) || unit === UNDERSCORE || unit === POINT || unit === DASH || unit === SLASH) return -1;
  if (unit !== SPACE && unit !== COMMA) return end;
  const next = end + 1 < to ? text.charCodeAt(end + 1) : 0;
  if (unit === COMMA) return next === SPACE || text.charCodeAt(at - 1) === SPACE ? -1 : end;
  if (next < 97 || next > 122) return -1;
  // what has three digits or more is no day of a month
  return (end - at < 3 ? HEADS.has(next) : beginsStreet(text, end + 1)) ? -1 : end;
}

/** What makes a longer number, a telephone number or a part of a name of it. */
const mayStandBefore = (unit: number): boolean =>
  unit < 128 &&
  !isWord(unit) &&
  unit !== UNDERSCORE &&
  unit !== DASH &&
  unit !== PLUS &&
  unit !== OPEN &&
  unit !== BACKSLASH &&
  unit !== 9;

/** A word that may be the name of a street ends at `last`: it does not end in a small letter alone in small letters. */
function isName(text: string, last: number, from: number): boolean {
  const floor = Math.max(from, last - 28);
  let at = last;
  while (at >= floor && text.charCodeAt(at) >= 97 && text.charCodeAt(at) <= 122) at--;
  if (at === last || last - at > 24) return true;
  const unit = at < from ? SPACE : text.charCodeAt(at);
  return unit !== SPACE || text.charCodeAt(at + 1) === 110;
}
