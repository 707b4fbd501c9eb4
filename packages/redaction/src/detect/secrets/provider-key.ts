import type { Hit } from "../../scan/hit.ts";
import { PROVIDER_KEYS } from "../../policy/provider-keys.ts";
import type { Stop } from "../detector.ts";
import { isDiffMark, isDigit, isEscapeLetter, isWord } from "../character.ts";
import { boundaryOf, expressionOf, type KeyFormat, leadOf } from "../keys/key-format.ts";
import { entropyOf } from "./placeholder.ts";
import { pairAt, rarestPair } from "../rarity.ts";

interface Verifier {
  readonly format: KeyFormat;
  /** index among all formats: the first one that holds counts */
  readonly rank: number;
  readonly lead: number;
  /** what its mark begins with */
  readonly first: number;
  /** its mark begins with what parts a path or a host */
  readonly joins: boolean;
  after: RegExp | null;
  before: RegExp | null;
}

/** Formats of one pair whose keys begin as many characters before its second one. */
interface Group {
  readonly back: number;
  /** one of its marks does */
  joins: boolean;
  readonly verifiers: Verifier[];
}

/** Formats by the pair of characters that the scan stops at. Expressions are made when they are first needed. */
const lists: Group[][] = [[]];
const listOfPair = new Uint16Array(256 * 256);
const POINT = 46;
const PLUS = 43;
/** as many letters and digits stand at least before a point that a key goes on behind */
const BEFORE_POINT = 17;
const pairs: number[] = [];
const NO_GROUPS: Group[] = [];
const groupsAt = (pair: number): Group[] => lists[listOfPair[pair] ?? 0] ?? NO_GROUPS;
for (const [rank, format] of PROVIDER_KEYS.entries()) {
  const [, , mark, , before] = format;
  const anchor = mark.length === 1 ? 0 : rarestPair(mark);
  const verifier: Verifier = {
    format,
    rank,
    lead: leadOf(before),
    first: mark.charCodeAt(0),
    joins: /^[/.]/.test(mark),
    after: null,
    before: null,
  };
  const pair = mark.length === 1 ? mark.charCodeAt(0) : pairAt(mark, anchor);
  if (listOfPair[pair] === 0) {
    pairs.push(pair);
    listOfPair[pair] = lists.push([]) - 1;
  }
  const groups = groupsAt(pair);
  const back = anchor + verifier.lead;
  const group = groups.find((each) => each.back === back);
  if (group === undefined) groups.push({ back, joins: verifier.joins, verifiers: [verifier] });
  else {
    group.verifiers.push(verifier);
    group.joins ||= verifier.joins;
  }
}

const BYTE = 256;

/** Where a scan has to stop for keys: at a pair, or at a single character behind a letter or a digit. */
export const KEY_STOPS: readonly Stop[] = pairs.map((pair) =>
  pair < BYTE ? { at: String.fromCharCode(pair), behind: isWord } : String.fromCharCode(pair >> 8, pair & 0xff),
);

/** A key with its pair's second character at `at`. */
export function providerKey(text: string, at: number, from: number, to: number): Hit | null {
  if (at === from) return null;
  const groups = groupsAt(pairAt(text, at));
  const hit = groups.length === 0 ? null : among(groups, text, at, from, to);
  if (hit !== null || text.charCodeAt(at) !== POINT || at - BEFORE_POINT < from) return hit;
  for (let before = at - BEFORE_POINT; before < at; before++) if (!isWord(text.charCodeAt(before))) return null;
  return among(groupsAt(POINT), text, at, from, to);
}

/** The key of the first format that holds. */
function among(groups: readonly Group[], text: string, at: number, from: number, to: number): Hit | null {
  let best: Found | null = null;
  for (const group of groups) {
    const start = at - group.back;
    if (start >= from) best = firstOf(group, text, start, from, to, best);
  }
  return best?.hit ?? null;
}

interface Found {
  readonly hit: Hit;
  readonly rank: number;
}

/** What may stand before a key. */
const BEFORE = { free: 0, name: 1, word: 2 } as const;
type Before = (typeof BEFORE)[keyof typeof BEFORE];

/** The key that begins at `start` in the first format of a group, where that comes before `best`; else `best`. */
function firstOf(
  { joins, verifiers }: Group,
  text: string,
  start: number,
  from: number,
  to: number,
  best: Found | null,
): Found | null {
  const rank = best?.rank ?? Infinity;
  let before: Before | null = null;
  for (const verifier of verifiers) {
    if (verifier.rank > rank) break;
    if (text.charCodeAt(start + verifier.lead) !== verifier.first) continue;
    before ??= beforeKey(text, start, from, to);
    if (before === BEFORE.word && !joins) break;
    const hit = keyBehind(before, verifier, text, start, to);
    if (hit !== null) return { hit, rank: verifier.rank };
  }
  return best;
}

function beforeKey(text: string, start: number, from: number, to: number): Before {
  if (start === from || mayStandBefore(text, start - 1)) return BEFORE.free;
  return isPartOfName(text, start - 1, to) ? BEFORE.name : BEFORE.word;
}

/** The key of one format at `start`, where it may stand behind what is before it. */
function keyBehind(before: Before, verifier: Verifier, text: string, start: number, to: number): Hit | null {
  const isPart = before === BEFORE.name && isPlainMark(verifier);
  // a path or the end of a host goes on behind a word
  if (before !== BEFORE.free && !isPart && (verifier.lead > 0 || !verifier.joins)) return null;
  const hit = verified(verifier, text, start, to);
  return hit !== null && isPart && !isKeyInName(verifier, text.slice(hit.start, hit.end)) ? null : hit;
}

/** Characters of a key that is found behind a dash or an underscore. */
const LEAST_IN_NAME = 20;
/** No slug has a mark and as much drawn text behind it; of a shorter one a part must be drawn for itself. */
const LONG_IN_NAME = 36;
const LEAST_DRAWN = 15;

/** so many of its characters are looked at first: behind a mark a key has few signs */
const MOST_MARK = 8;
const MOST_SIGNS = 3;

/** `session_ghp_…`, `user-sk-proj-…`: names of sessions, caches and branches are made of keys. `at`: the sign before it. */
function isPartOfName(text: string, at: number, to: number): boolean {
  const unit = text.charCodeAt(at);
  if ((unit !== 45 && unit !== 95) || at + LEAST_IN_NAME >= to) return false;
  let signs = 0;
  for (let i = at + 1 + MOST_MARK; i <= at + LEAST_IN_NAME; i++)
    if (!isWord(text.charCodeAt(i)) && ++signs > MOST_SIGNS) return false;
  return true;
}

/** A mark that ends in a sign of its own, or is long, and is no path. */
const isPlainMark = ({ format: [, , mark], lead, joins }: Verifier): boolean =>
  lead === 0 && !joins && (mark.length >= 4 || /^..[_-]$/.test(mark));

/** Whether a key behind a sign of a name is no part of the name. */
function isKeyInName({ format: [, , mark] }: Verifier, key: string): boolean {
  if (key.length < LEAST_IN_NAME) return false;
  if (key.length >= LONG_IN_NAME && mark.length >= 4 && /[_-]$/.test(mark)) return true;
  return someRun(key, mark.length, LEAST_DRAWN, isWord, isDrawn);
}

/** Whether a run of at least so many characters is accepted. Without an expression: keys may hold hundreds of signs. */
function someRun(
  text: string,
  from: number,
  least: number,
  isIn: (unit: number) => boolean,
  accepts: (run: string) => boolean,
): boolean {
  let start = from;
  for (let at = from; at <= text.length; at++) {
    if (at < text.length && isIn(text.charCodeAt(at))) continue;
    if (at - start >= least && accepts(text.slice(start, at))) return true;
    start = at + 1;
  }
  return false;
}

/** Letters and digits among each other: of both cases, or capitals alone; small ones alone may be a digest. */
function isDrawn(part: string): boolean {
  const digits = part.replaceAll(/\D/g, "").length;
  return digits >= 2 && digits < part.length && /[A-Z]/.test(part) && !/^[A-Z]?[a-z]+\d+$/.test(part);
}

/** The key of one format that begins at `start`. */
function verified(verifier: Verifier, text: string, start: number, to: number): Hit | null {
  const [id, , mark] = verifier.format;
  const begin = start + verifier.lead;
  if (!text.startsWith(mark, begin) || isBehindPlus(text, start, mark) || isInsideBase64(text, start, mark))
    return null;
  const end = bodyEnd(verifier, text, begin + mark.length);
  if (end === -1 || end > to || !hasLead(verifier, text, start)) return null;
  const free = verifier.lead > 0 ? text.slice(start, end) : text.slice(begin + mark.length, end);
  if (!looksRandom(free, text.slice(start, end))) return null;
  // the host of a webhook stays
  const from = mark.endsWith("/") ? begin + mark.length : start;
  return { start: from, end: restEnd(text, end, to), type: "KEY", rule: `key.${id}` };
}

/** Base64 goes on behind a plus, but holds none of the signs of a mark; a plus of a changed line is not one of base64. */
const isBehindPlus = (text: string, start: number, mark: string): boolean =>
  start > 0 && text.charCodeAt(start - 1) === PLUS && !isDiffMark(text, start - 1) && !/[_.:-]/.test(mark);

/** Where the part of a key behind its mark ends, which begins at `at`; -1: it is none. */
function bodyEnd(verifier: Verifier, text: string, at: number): number {
  const [, , , after] = verifier.format;
  verifier.after ??= new RegExp(expressionOf(after) + boundaryOf(after), "y");
  verifier.after.lastIndex = at;
  return verifier.after.test(text) ? verifier.after.lastIndex : -1;
}

/** Whether what the format has before its mark stands at `start`. */
function hasLead(verifier: Verifier, text: string, start: number): boolean {
  if (verifier.lead === 0) return true;
  const [, , , , before] = verifier.format;
  verifier.before ??= new RegExp(`^${expressionOf(before ?? "")}$`);
  return verifier.before.test(text.slice(start, start + verifier.lead));
}

const SLASH = 47;
const LONG_RUN = 64;
const RUN = /^(?=[^]*[A-Z])(?=[^]*[a-z])(?=[^]*\d)[A-Za-z0-9+/]+$/;

/** Letters that a picture or a sound in base64 happens to have behind one of its slashes. */
function isInsideBase64(text: string, start: number, mark: string): boolean {
  if (text.charCodeAt(start - 1) !== SLASH || start < LONG_RUN || /[^A-Za-z0-9]/.test(mark)) return false;
  return RUN.test(text.slice(start - LONG_RUN, start));
}

const REST = /[\w+/-]{8,512}={1,2}(?![\w+/=-])|[_-][\w-]{8,512}/y;
const TOKEN = /_[a-z]{4}_[a-z]{16}|UNSCANNED_/;

const LEAST_IN_REST = 8;
const [UNDERSCORE, EQUALS, DASH] = [95, 61, 45];
const isInRest = (unit: number): boolean => unit !== UNDERSCORE && unit !== EQUALS && unit !== DASH;

/** Where a longer key ends that begins like one of this format: behind padded base64, or a part that is no word. */
function restEnd(text: string, end: number, to: number): number {
  REST.lastIndex = end;
  const rest = REST.exec(text)?.[0] ?? "";
  const isKey = someRun(rest, 0, LEAST_IN_REST, isInRest, (part) => /\d/.test(part) && /[A-Za-z]/.test(part));
  return isKey && end + rest.length <= to && !TOKEN.test(rest) ? end + rest.length : end;
}

/** A key stands alone, after a quote, `=`, `/` …; never inside a word or a slug. */
function mayStandBefore(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  if (isEscapeLetter(text, at) || isDiffMark(text, at)) return true;
  // a colour's end without its escape character
  if (unit === 109 && text.charCodeAt(at - 1) === 91) return true;
  // the token of a Telegram bot stands behind this in each of its addresses
  if (unit === 116 && text.startsWith("bot", at - 2) && (at < 3 || text.charCodeAt(at - 3) === 47)) return true;
  return !isWord(unit) && unit !== 45 && unit !== 95;
}

/** Samples repeat a letter, count up, or are words with dashes between them. */
function looksRandom(free: string, whole: string): boolean {
  if (/EXAMPLE$|x{5}|X{5}|\*{4}|0{10}|(?:^|[-_])(?:your|my|insert|replace|placeholder)[-_]/.test(whole)) return false;
  if (free.length < 12) return true;
  // the name of a class, of a test, of a slug
  if (/(?:-[a-z]{3,}){2}$/.test(free)) return false;
  let digits = 0;
  for (let i = 0; i < free.length; i++) if (isDigit(free.charCodeAt(i))) digits++;
  const length = Math.min(free.length, 64);
  const least = Math.min(3, Math.log2(length) * 0.62);
  if (entropyOf(free.slice(0, 400)) < least) return false;
  if (digits > 0) return true;
  // a long run of small letters is no word
  if (/^[a-z]{30,}$/.test(free)) return entropyOf(free) > 3.3;
  // nor are capitals right behind the mark of a key
  if (/^[A-Z]{16,}$/.test(free)) return entropyOf(free) > 2.8;
  return free.length >= 16 && /[a-z]/.test(free) && /[A-Z]/.test(free) && !/^[A-Za-z]+(?:[-_][A-Za-z]+)+$/.test(free);
}
