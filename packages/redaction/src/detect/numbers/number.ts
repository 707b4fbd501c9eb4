import type { Hit } from "../../scan/hit.ts";
import { announcedNumber, announcedPhoneOrDate, bracketedCheck, cueAfter } from "./announced.ts";
import type { Area } from "../area.ts";
import { magneticStripe } from "./card.ts";
import { isDigit, isEscapeLetter, isWord } from "../character.ts";
import { CUE, type Cue } from "../cue.ts";
import {
  cueOf,
  foundCue,
  isAnnouncedAs,
  isBehindDigits,
  mayEndAt,
  phrase,
  readCurrentPhrase,
} from "./current-phrase.ts";
import { mayBeBirthDay } from "./date-of-birth.ts";
import { noteFileName } from "./file-name.ts";
import { iban } from "./iban.ts";
import { oneTimeCode } from "./one-time-code.ts";
import { internationalPhone } from "./phone.ts";
import { endOf, kindOf, mayFollow, mayPrecede, MIXED, SEPARATOR, startOf, withLetters } from "./phrase.ts";
import { plainNumberEnd } from "./plain-number.ts";
import { address, shapedNumber } from "./shaped-number.ts";
import { streetAddress } from "./street-address.ts";
import { walletKind } from "./wallet.ts";

const LONGEST_WORD = 120;
/** after this many groups a phrase that was cut is taken up again */
const TAKEN_UP = 8;
const LONGEST_ACCOUNT = 40;
const [OPEN, PLUS, AT, UNDERSCORE, LETTER_I] = [40, 43, 64, 95, 105];

/** Everything that is written with digits, around the first digit of a run at `at`. Looks at a phrase once, whole. */
export function numbers(text: string, at: number, area: Area): void {
  const { from, to } = area;
  if (text.charCodeAt(at - 1) === COLON && isFileMode(text, at, area)) return;
  // shorter numbers are none of a file's name
  if (isDigit(text.charCodeAt(at + 1)) && goesOn(text, at + 2)) noteFileName(text, at, area);
  const code = oneTimeCode(text, at, from, to);
  if (code !== null) area.hits.push(code);
  const plain = code?.end ?? plainNumberEnd(text, at, from, to);
  if (plain !== -1) return passed(plain, area);
  const start = wordStart(text, at, from);
  if (start === -1) {
    area.numberTo = wordEnd(text, at, to);
    return;
  }
  readCurrentPhrase(text, withLetters(text, start, from), to);
  readGroups(text, area);
  area.cue = foundCue() ?? area.field.cue;
}

/** Nothing before `end` is looked at again, and nothing is announced for what follows. */
function passed(end: number, area: Area): void {
  area.numberTo = end;
  area.cue = area.field.cue;
}

/** Where the word with the digit at `at` begins; -1: it is too long, or a part of a name in code. */
function wordStart(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && isWord(text.charCodeAt(start - 1)) && !isEscapeLetter(text, start - 1)) {
    if (at - start === LONGEST_WORD) return -1;
    start--;
  }
  return start > from && text.charCodeAt(start - 1) === UNDERSCORE ? -1 : start;
}

/** Looks for a value at each group of the phrase behind a space. */
function readGroups(text: string, area: Area): void {
  const { count } = phrase;
  const last = phrase.full ? TAKEN_UP : count;
  let end = endOf(phrase, count - 1);
  let accountTo = 0;
  for (let i = 0; i < last; i++) {
    if (isSegment(i)) noteFileName(text, startOf(phrase, i), area);
    if (i > 0 && phrase.separators[i] !== SEPARATOR.space) continue;
    if (startOf(phrase, i) < area.numberTo) continue;
    const hit = attempt(text, i, area);
    if (hit !== null) {
      area.hits.push(hit);
      end = Math.max(end, hit.end);
      i = lastGroupBefore(hit.end, i);
      // a group that the hit ends in
      if (endOf(phrase, i) > hit.end) break;
    } else if (isAccountHead(text, i)) {
      // groups behind the head of an account number that does not hold are none of a card
      accountTo = accountEnd(text, i, area.to);
      break;
    }
  }
  area.numberTo = phrase.full
    ? Math.max(startOf(phrase, TAKEN_UP), area.hits.at(-1)?.end ?? 0, accountTo)
    : Math.max(end, accountTo);
}

/** A group of a path that may be a file's name. */
const isSegment = (i: number): boolean =>
  i > 0 && phrase.separators[i] === SEPARATOR.slash && kindOf(phrase, i) >= SHORTEST_SEGMENT;

/** Index of the last group, from group `i` on, that begins before `end`. */
function lastGroupBefore(end: number, i: number): number {
  let last = i;
  while (last + 1 < phrase.count && startOf(phrase, last + 1) < end) last++;
  return last;
}

/** Whether a name goes on at `at`, also with another group of digits behind a space. */
const goesOn = (text: string, at: number): boolean =>
  text.charCodeAt(at) > COMMA || (text.charCodeAt(at) === SPACE && isDigit(text.charCodeAt(at + 1)));

/** Digits of the first group of a number in a path. */
const SHORTEST_SEGMENT = 2;
const [SPACE, COMMA, COLON] = [32, 44, 58];
const FILE_MODES = /(?:100|120|160|040|000)\d{3} (?:100|120|160|040|000)\d{3} (?=[0-9a-f]{4,40} )/y;

/** `:100644 100644 300b2f3 3fa1295 M`: a line of git. */
function isFileMode(text: string, at: number, area: Area): boolean {
  if (at - 1 > area.from && text.charCodeAt(at - 2) !== FEED) return false;
  FILE_MODES.lastIndex = at;
  if (!FILE_MODES.test(text)) return false;
  passed(FILE_MODES.lastIndex, area);
  return true;
}
const FEED = 10;

function wordEnd(text: string, at: number, to: number): number {
  let end = at;
  while (end < to && isWord(text.charCodeAt(end))) end++;
  return end;
}

function isAccountHead(text: string, i: number): boolean {
  return phrase.kinds[i] === MIXED + 4 && /^[A-Z]{2}\d\d$/.test(text.slice(phrase.starts[i], phrase.ends[i]));
}

/** Where the groups of what looked like an account number end. */
function accountEnd(text: string, i: number, to: number): number {
  let end = endOf(phrase, i);
  while (end + 1 < to && end - endOf(phrase, i) < LONGEST_ACCOUNT && text.charCodeAt(end) === 32) {
    const next = wordEnd(text, end + 1, Math.min(to, end + 7));
    if (next === end + 1 || next > end + 5 || !/^[A-Z0-9]+$/.test(text.slice(end + 1, next))) break;
    end = next;
  }
  return end;
}

/** Index of the last group that hangs together with group `i`. */
function chunkEnd(i: number): number {
  let j = i;
  while (j + 1 < phrase.count && phrase.separators[j + 1] !== SEPARATOR.space) j++;
  return j;
}

/** A value that begins with group `i`. */
function attempt(text: string, i: number, area: Area): Hit | null {
  const start = startOf(phrase, i);
  const left = i > 0 || mayFollow(text, start - 1, area.from);
  return kindOf(phrase, i) > MIXED ? fromMixed(text, i, start, left, area) : fromDigits(text, i, start, left, area);
}

/** A value whose first group has letters in it. `left`: the character before `start` allows a number to begin there. */
function fromMixed(text: string, i: number, start: number, left: boolean, area: Area): Hit | null {
  const { from, to } = area;
  if (!left)
    return text.charCodeAt(start - 1) === PLUS
      ? iban(text, start, from, to)
      : magneticStripe(text, start, endOf(phrase, i));
  return (
    bracketedCheck(text, start, to) ??
    mixedWord(text, i, start, area) ??
    shapedNumber(text, i, start, area) ??
    houseAt(text, i, start, area) ??
    announced(text, i, start, area)
  );
}

/** A value whose first group has digits only. */
function fromDigits(text: string, i: number, start: number, left: boolean, area: Area): Hit | null {
  const { from, to } = area;
  const before = text.charCodeAt(start - 1);
  // a plus may also be the mark of a changed line
  const signed = before === PLUS ? internationalPhone(text, start, from, to) : null;
  if (signed !== null) return signed;
  const shaped = left ? shapedNumber(text, i, start, area) : before === AT ? address(text, i, start, area) : null;
  if (shaped !== null) return shaped;
  // behind other digits an exit code is a column of a log
  const phone = left && !isBehindDigits(i) ? internationalPhone(text, start, from, to) : null;
  return phone ?? houseAt(text, i, start, area) ?? (left ? announced(text, i, start, area) : null);
}

/** A street and the number of its house, which is group `i`. */
function houseAt(text: string, i: number, start: number, { from, to }: Area): Hit | null {
  if (!mayBeHouse(text, i, kindOf(phrase, i))) return null;
  const street = streetAddress(text, start, endOf(phrase, i), from, to);
  return street === null ? null : { start: street[0], end: street[1], type: "ADDRESS", rule: "address" };
}

const HOUSE = /^\d{1,4}[A-Fa-f]$/;
const LONGEST_HOUSE = 6;
/** The number of a house: a few digits, and perhaps a letter. */
const mayBeHouse = (text: string, i: number, kind: number): boolean =>
  kind <= LONGEST_HOUSE ||
  (kind > MIXED && kind < MIXED + LONGEST_HOUSE && HOUSE.test(text.slice(phrase.starts[i], phrase.ends[i])));

/** What a group with letters may be by itself. */
function mixedWord(text: string, i: number, start: number, area: Area): Hit | null {
  const isNamed = (text.charCodeAt(start) | 32) === LETTER_I && /^iban/i.test(text.slice(start, start + 4));
  const account = iban(text, isNamed ? start + 4 : start, area.from, area.to);
  if (account !== null) return account;
  const end = endOf(phrase, i);
  const isLast = i === phrase.count - 1;
  if (end - start < 25 || (isLast ? !mayPrecede(text, end, area.to) : phrase.separators[i + 1] !== SEPARATOR.space))
    return null;
  const wallet = walletKind(text.slice(start, end));
  if (wallet === null) return null;
  if (wallet === "private") return { start, end, type: "KEY", rule: "key.wallet-private" };
  // what has no checksum must be announced
  if ((wallet === "ethereum-plain" || wallet === "solana") && !isAnnouncedAs(CUE.wallet, text, area)) return null;
  const ethereum = wallet === "ethereum" || wallet === "ethereum-plain";
  return {
    start,
    end,
    type: "WALLET",
    rule: `wallet.${ethereum ? "ethereum" : wallet}`,
    ...(ethereum ? { canonical: text.slice(start, end).toLowerCase() } : {}),
  };
}

const BLAMED = /[0-9a-f]{7,40} (?:[\w./-]{1,80} {1,8})?\([^()\n]{1,60} \d{4}-\d\d-\d\d /y;

/** The commit in front of a line of `git blame`, which the line above does not announce. */
function isBlamed(text: string, start: number): boolean {
  BLAMED.lastIndex = start;
  return BLAMED.test(text);
}

const [SHORTEST_ANNOUNCED, ZERO] = [6, 48];
/** `089 / 123456`, `03(1234)5678`: an area code and what follows it. */
const BEHIND_SLASH = /^(?: ?\/ ?\d{3}|\(\d{2,4}\)\d)/;

/** A number that is one for what a word before or behind it says. */
function announced(text: string, i: number, start: number, area: Area): Hit | null {
  const kind = kindOf(phrase, i);
  const length = endOf(phrase, phrase.count - 1) - start;
  if (length < SHORTEST_ANNOUNCED && !isDigit(text.charCodeAt(start))) return null;
  if (kind < MIXED && length < SHORTEST_ANNOUNCED && !mayGoOn(text, i, start))
    // an area code in brackets ends its phrase
    return text.charCodeAt(start - 1) === OPEN ? announcedPhoneOrDate(text, start, cueOf(text, area), area) : null;
  const last = chunkEnd(i);
  const announcement = announcementOf(text, start, endOf(phrase, last), area);
  const hit = longestAnnounced(text, i, last, start, announcement, area);
  if (hit !== null) return kind > MIXED && isBlamed(text, start) ? null : hit;
  return kind < MIXED && mayBePhone(announcement, i) ? announcedPhoneOrDate(text, start, announcement, area) : null;
}

/** Whether few digits may be a day of birth, or an area code with the number behind it. */
const mayGoOn = (text: string, i: number, start: number): boolean =>
  mayBeBirthDay(text, endOf(phrase, i)) ||
  (text.charCodeAt(start) === ZERO && BEHIND_SLASH.test(text.slice(phrase.ends[i], endOf(phrase, i) + 7)));

/** The words that announce a phrase: those before it; if there are none and it is long, those after it. */
function announcementOf(text: string, start: number, end: number, area: Area): Cue {
  const before = cueOf(text, area);
  return before.kinds === 0 && end - start >= LEAST_BEHIND ? cueAfter(text, end, area) : before;
}
const LEAST_BEHIND = 7;

/** The longest number from `start` on that holds, up to seven groups behind group `i` and at least to group `last`. */
function longestAnnounced(
  text: string,
  i: number,
  last: number,
  start: number,
  announcement: Cue,
  area: Area,
): Hit | null {
  if (announcement.kinds === 0) return null;
  for (let j = Math.min(phrase.count - 1, i + 7); j >= last; j--) {
    if (!mayEndAt(text, j, area.to)) continue;
    const hit = announcedNumber(text, start, endOf(phrase, j), announcement);
    if (hit !== null) return hit;
  }
  return null;
}

/** Whether a number may be one of a telephone, or a day of birth, by its announcement. */
function mayBePhone({ kinds }: Cue, i: number): boolean {
  if ((kinds & CUE.version) !== 0) return false;
  return (kinds & (CUE.phone | CUE.birth)) !== 0 || (kinds === 0 && !isBehindDigits(i));
}
