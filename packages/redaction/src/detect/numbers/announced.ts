import type { Hit } from "../../scan/hit.ts";
import type { Area } from "../area.ts";
import { CUE, type Cue, cueIn, NO_CUE } from "../cue.ts";
import { isForeignLetter, isSpace, isWord } from "../character.ts";
import { bankAccount } from "./bank-account.ts";
import { dateAround } from "./date-of-birth.ts";
import type { Family } from "../national/family.ts";
import { ruleOfFamily } from "../national/family-rules.ts";
import { familyOf } from "../national/national-id.ts";
import { macHit } from "./ip-address.ts";
import { nationalPhone } from "./phone.ts";

/** A day, written without separators. */
const DAY = /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/;
const LOOK_BACK = 48;
const LOOK_AHEAD = 40;
const LONGEST_NATIONAL = 22;
const SAME_LIST = /^[\s,;/|&]*(?:and|or|und|oder|et|y|e|o)?[\s,;/|&]*$/;
const SAYS_AFTER = /^[\s)\]"']{0,3}(?:is|was|as|=|-|–|\()\s/;

/** What the words before a number at `start` announce; the name above the leaf speaks when they do not. */
export function cueBefore(text: string, start: number, area: Area): Cue {
  const floor = wholeWord(text, start - LOOK_BACK, area.from, start);
  const previous = afterToken(text, area.numberTo > floor ? area.numberTo : floor, start);
  // the second number of a list
  if (previous > floor && start - previous <= 8 && area.cue.kinds !== 0 && SAME_LIST.test(text.slice(previous, start)))
    return area.cue;
  const cue = start - previous < 2 ? null : cueIn(text, previous, start);
  return cue === null || cue.kinds === 0 ? area.field.cue : cue;
}

/** Where the first whole word begins, or what stands between two. */
function wholeWord(text: string, floor: number, from: number, to: number): number {
  if (floor <= from) return from;
  let at = floor;
  if (isLetter(text.charCodeAt(at - 1))) while (at < to && isLetter(text.charCodeAt(at))) at++;
  return at;
}

const isLetter = (unit: number): boolean => isWord(unit) || (unit < 0x3000 && isForeignLetter(unit));

const TOKEN_END = /_[a-z]{4}_[a-z]{16}/g;

/** Words before a token announced the value that the token replaces. Returns the end of the last token, or `from`. */
function afterToken(text: string, from: number, to: number): number {
  const window = text.slice(from, to);
  if (!window.includes("_")) return from;
  let end = 0;
  for (const match of window.matchAll(TOKEN_END)) end = match.index + match[0].length;
  return from + end;
}

/** `… is my tax id`: what the words behind a number say. */
export function cueAfter(text: string, end: number, area: Area): Cue {
  if (!mayGoOn(text, end, area.to)) return NO_CUE;
  const limit = Math.min(area.to, end + LOOK_AHEAD);
  const after = text.slice(end, limit);
  if (!SAYS_AFTER.test(after)) return NO_CUE;
  const stop = after.search(/[.;\n\d]|_[a-z]{4}_/);
  return cueIn(text, end, stop === -1 ? limit : end + stop) ?? NO_CUE;
}

const SAYING = new Set([..."iwa=-–("].map((c) => c.charCodeAt(0)));
/** The cheap first look: what may stand before `is` and the like, and their first letter. */
function mayGoOn(text: string, end: number, to: number): boolean {
  for (let at = end; at < end + 4 && at < to; at++) {
    const unit = text.charCodeAt(at);
    // a sign stands alone, and is none of a longer number
    if (SAYING.has(unit)) return isWord(unit) || isSpace(text.charCodeAt(at + 1));
    if (!isSpace(unit) && unit < 128 && unit !== 34 && unit !== 39 && unit !== 41 && unit !== 93) return false;
  }
  return end < to;
}

/** `[start, end)` of one or more groups, as a number that words or a name announce. */
export function announcedNumber(text: string, start: number, end: number, cue: Cue): Hit | null {
  const { kinds } = cue;
  if (kinds === 0) return null;
  const written = text.slice(start, end);
  const compact = written.replace(/[^0-9A-Za-z\u00c0-\uffff]/g, "").toUpperCase();
  if ((kinds & CUE.ssn) !== 0 && isSsn(compact, true))
    return { start, end, type: "SSN", rule: "ssn", canonical: compact };
  if ((kinds & CUE.mac) !== 0 && /^(?=.*\d)[0-9A-Fa-f]{12}$/.test(written)) return macHit(written, start, end);
  const family = announcedFamily(written, compact, cue);
  if (family !== null) return national(start, end, family.id, compact);
  const document = DOCUMENTS.find(({ kind, form }) => (kinds & kind) !== 0 && form.test(compact) && !DAY.test(compact));
  if (document !== undefined) return { start, end, type: document.type, rule: document.rule, canonical: compact };
  return bankAccount(written, start, end, kinds);
}

const DOCUMENTS = [
  { kind: CUE.passport, form: /^(?=(?:.*\d){4})[A-Z0-9]{6,12}$/, type: "PASSPORT", rule: "passport" },
  { kind: CUE.licence, form: /^(?=(?:.*\d){4})[A-Z0-9]{5,20}$/, type: "DRIVING_LICENCE", rule: "licence" },
] as const;

function announcedFamily(written: string, compact: string, { kinds, families }: Cue): Family | null {
  // what other countries have under this name is longer
  const other = (kinds & CUE.ssn) !== 0 && /^\d{10,18}$/.test(compact) ? familyOf(written, []) : null;
  if (other !== null) return other;
  const isLongEnough = compact.length >= 7 && compact.length <= LONGEST_NATIONAL;
  return (kinds & CUE.national) !== 0 && isLongEnough ? familyOf(written, families) : null;
}

const HONG_KONG = ["hk/hkid"];
const BRACKETED = /[A-Z]{1,2}\d{6}\([\dA]\)/y;

/** `C914109(8)`: only in Hong Kong a check digit stands in brackets. */
export function bracketedCheck(text: string, start: number, to: number): Hit | null {
  const first = text.charCodeAt(start);
  if (first < 65 || first > 90) return null;
  BRACKETED.lastIndex = start;
  const written = BRACKETED.exec(text)?.[0] ?? "";
  const end = start + written.length;
  return written === "" || end > to || familyOf(written, HONG_KONG) === null
    ? null
    : national(start, end, "hk/hkid", written.replace(/[()]/g, ""));
}

const national = (start: number, end: number, id: string, canonical: string): Hit => ({
  start,
  end,
  type: "NATIONAL_ID",
  rule: ruleOfFamily(id),
  canonical,
});

/** A value with separators of its own that may be announced: a date, a telephone number. */
export function announcedPhoneOrDate(text: string, at: number, cue: Cue, area: Area): Hit | null {
  if ((cue.kinds & CUE.birth) !== 0) {
    const date = dateAround(text, at, area.from, area.to);
    if (date !== null) return { start: date[0], end: date[1], type: "BIRTH_DATE", rule: "birth-date" };
  }
  return nationalPhone(text, at, area.from, area.to, (cue.kinds & CUE.phone) !== 0);
}

/** Nine digits of an American social security number; `announced`: also one for taxpayers. */
export function isSsn(digits: string, announced: boolean): boolean {
  if (!/^(?!000|666|9)\d{3}(?!00)\d\d(?!0000)\d{4}$/.test(digits))
    return announced && /^9\d\d(?:5\d|6[0-5]|7\d|8[0-8]|9[0-2]|9[4-9])\d{4}$/.test(digits);
  return !/^(\d)\1*$/.test(digits);
}
