import type { Hit } from "../../scan/hit.ts";
import { announcedNumber, announcedPlace, bracketedCheck, cueAfter, cueBefore, isSsn } from "./announced.ts";
import type { Area } from "../area.ts";
import { cardNumber, isPayment, magneticStripe, mayBeCard } from "./card.ts";
import { isDigit, isEscapeLetter, isWord, lettersAndDigits } from "../character.ts";
import { CUE, type Cue } from "../cue.ts";
import { mayBeBirthDay } from "./date-of-birth.ts";
import { noteFileName } from "./file-name.ts";
import { iban } from "./iban.ts";
import { isDottedMac, isIpv4, isVersion, macHit, namesHost } from "./ip-address.ts";
import { passesLuhn } from "./luhn.ts";
import { ruleOfFamily } from "../national/family-rules.ts";
import { vatFamily } from "../national/vat-families.ts";
import { isOfFamily } from "../national/national-id.ts";
import { oneTimeCode } from "./one-time-code.ts";
import { numberShapes, type Shape } from "./number-shapes.ts";
import { internationalPhone, isNorthAmerican } from "./phone.ts";
import {
  createPhrase,
  endOf,
  kindOf,
  mayFollow,
  mayPrecede,
  MIXED,
  readPhrase,
  SEPARATOR,
  startOf,
  withLetters,
} from "./phrase.ts";
import { plainNumberEnd } from "./plain-number.ts";
import { streetAddress } from "./street-address.ts";
import { walletKind } from "./wallet.ts";

const LONGEST_WORD = 120;
/** after this many groups a phrase that was cut is taken up again */
const TAKEN_UP = 8;
const LONGEST_ACCOUNT = 40;
const [UNDERSCORE, AT, LETTER_I] = [95, 64, 105];
const phrase = createPhrase();
/** of the phrase; null: not looked for yet */
let cue: Cue | null = null;
/** the longest shapes first: group and node of each place where one may end */
const endGroups = new Int32Array(16);
const endNodes = new Int32Array(16);

/** Everything that is written with digits, around the first digit of a run at `at`. Looks at a phrase once, whole. */
export function numbers(text: string, at: number, area: Area): void {
  const { from, to } = area;
  if (text.charCodeAt(at - 1) === COLON && isFileMode(text, at, area)) return;
  // shorter numbers are none of a file's name
  if (isDigit(text.charCodeAt(at + 1)) && goesOn(text, at + 2)) noteFileName(text, at, area);
  const code = oneTimeCode(text, at, from, to);
  if (code !== null) area.hits.push(code);
  const plain = code?.end ?? plainNumberEnd(text, at, from, to);
  if (plain !== -1) {
    area.numberTo = plain;
    area.cue = area.field.cue;
    return;
  }
  let start = at;
  while (
    start > from &&
    at - start < LONGEST_WORD &&
    isWord(text.charCodeAt(start - 1)) &&
    !isEscapeLetter(text, start - 1)
  )
    start--;
  if (start > from && isWord(text.charCodeAt(start - 1)) && !isEscapeLetter(text, start - 1)) {
    area.numberTo = wordEnd(text, at, to);
    return;
  }
  // a part of a name in code
  if (start > from && text.charCodeAt(start - 1) === UNDERSCORE) {
    area.numberTo = wordEnd(text, at, to);
    return;
  }
  start = withLetters(text, start, from);
  readPhrase(phrase, text, start, to);
  cue = null;
  const { count } = phrase;
  const last = phrase.full ? TAKEN_UP : count;
  let to_ = endOf(phrase, count - 1);
  let skipped = 0;
  for (let i = 0; i < last; i++) {
    if (i > 0 && phrase.separators[i] === SEPARATOR.slash && kindOf(phrase, i) >= SHORTEST_SEGMENT)
      noteFileName(text, startOf(phrase, i), area);
    if (i > 0 && phrase.separators[i] !== SEPARATOR.space) continue;
    const begin = startOf(phrase, i);
    if (begin < area.numberTo) continue;
    const hit = attempt(text, i, area);
    if (hit === null) {
      // groups behind the head of an account number that does not hold are none of a card
      if (isAccountHead(text, i)) {
        skipped = accountEnd(text, i, to);
        if (skipped > to_) to_ = skipped;
        break;
      }
      continue;
    }
    area.hits.push(hit);
    if (hit.end > to_) to_ = hit.end;
    while (i + 1 < count && startOf(phrase, i + 1) < hit.end) i++;
    // a group that the hit ends in
    if (endOf(phrase, i) > hit.end) break;
  }
  area.numberTo = phrase.full ? Math.max(startOf(phrase, TAKEN_UP), area.hits.at(-1)?.end ?? 0, skipped) : to_;
  area.cue = cue ?? area.field.cue;
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
  area.numberTo = FILE_MODES.lastIndex;
  area.cue = area.field.cue;
  return true;
}
const FEED = 10;

/** What is announced before the phrase; looked for once. */
const cueOf = (text: string, area: Area): Cue => (cue ??= cueBefore(text, startOf(phrase, 0), area));

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

/** Digits stand before group `i`: it may be the rest of a longer number. */
const isBehindDigits = (i: number): boolean => i > 0 && kindOf(phrase, i - 1) < MIXED;

/** Index of the last group that hangs together with group `i`. */
function chunkEnd(i: number): number {
  let j = i;
  while (j + 1 < phrase.count && phrase.separators[j + 1] !== SEPARATOR.space) j++;
  return j;
}

function attempt(text: string, i: number, area: Area): Hit | null {
  const { from, to } = area;
  const start = startOf(phrase, i);
  const kind = kindOf(phrase, i);
  const left = i > 0 || mayFollow(text, start - 1, from);
  if (!left && kind > MIXED && text.charCodeAt(start - 1) === 43) return iban(text, start, from, to);
  if (!left && kind > MIXED) return magneticStripe(text, start, endOf(phrase, i));
  if (left && kind > MIXED) {
    const hit = bracketedCheck(text, start, area.to) ?? mixedWord(text, i, start, area);
    if (hit !== null) return hit;
  }
  const before = text.charCodeAt(start - 1);
  // a plus may also be the mark of a changed line
  const signed = kind < MIXED && before === 43 ? internationalPhone(text, start, from, to) : null;
  if (signed !== null) return signed;
  const shaped = left ? shapedNumber(text, i, start, area) : before === AT ? address(text, i, start, area) : null;
  if (shaped !== null) return shaped;
  if (kind < MIXED) {
    // behind other digits an exit code is a column of a log
    const phone = (i > 0 || left) && !isBehindDigits(i) ? internationalPhone(text, start, from, to) : null;
    if (phone !== null) return phone;
  }
  const street = mayBeHouse(text, i, kind) ? streetAddress(text, start, endOf(phrase, i), from, to) : null;
  if (street !== null) return { start: street[0], end: street[1], type: "ADDRESS", rule: "address" };
  return left ? announced(text, i, start, kind, area) : null;
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
  if ((wallet === "ethereum-plain" || wallet === "solana") && (cueOf(text, area).kinds & CUE.wallet) === 0) return null;
  const ethereum = wallet === "ethereum" || wallet === "ethereum-plain";
  return {
    start,
    end,
    type: "WALLET",
    rule: `wallet.${ethereum ? "ethereum" : wallet}`,
    ...(ethereum ? { canonical: text.slice(start, end).toLowerCase() } : {}),
  };
}

/** Numbers of a fixed form, the longest that holds. */
function shapedNumber(text: string, i: number, start: number, area: Area): Hit | null {
  const tree = numberShapes();
  let found = 0;
  for (let j = i, node = 0; j < phrase.count; j++) {
    node = tree.step(node, phrase, j, j === i);
    if (node === -1) break;
    if (mayEndAt(text, j, area.to) && tree.leavesOf(node).length > 0) {
      endGroups[found] = j;
      endNodes[found++] = node;
    }
  }
  while (--found >= 0) {
    const end = endOf(phrase, endGroups[found] ?? i);
    for (const shape of tree.leavesOf(endNodes[found] ?? 0)) {
      const hit = asShape(shape, i, start, end, text, area);
      if (hit !== null) return hit;
    }
  }
  return address(text, i, start, area);
}

function address(text: string, i: number, start: number, area: Area): Hit | null {
  const last = i + 3;
  for (let j = i + 1; j <= last; j++) if (j >= phrase.count || phrase.separators[j] !== SEPARATOR.point) return null;
  const end = endOf(phrase, last);
  if (
    end - start > 15 ||
    !(mayEndAt(text, last, area.to) || isBeforePath(text, start, last)) ||
    !isIpv4(text.slice(start, end))
  )
    return null;
  if (isVersion(text, start, area.from) || (cueOf(text, area).kinds & CUE.version) !== 0) return null;
  return { start, end, type: "IP", rule: "ip.v4" };
}

/** Whether a number may end with group `j`. */
function mayEndAt(text: string, j: number, to: number): boolean {
  if (j + 1 < phrase.count) return phrase.separators[j + 1] === SEPARATOR.space;
  return !phrase.full && mayPrecede(text, endOf(phrase, j), to);
}

/** `//10.1.2.3/…`, `10.1.2.3/index`; what `10.0.0.0/8` names is a network. */
function isBeforePath(text: string, start: number, j: number): boolean {
  if (j + 1 >= phrase.count || phrase.separators[j + 1] !== SEPARATOR.slash) return false;
  if (kindOf(phrase, j + 1) > 2 || text.startsWith("//", start - 2)) return true;
  return namesHost(text.slice(start, phrase.ends[j]), text.slice(phrase.starts[j + 1], phrase.ends[j + 1]));
}

function asShape(shape: Shape, i: number, start: number, end: number, text: string, area: Area): Hit | null {
  if (shape.is === "card" && !(mayBeCard(text, start, shape.length) && passesLuhn(text, start, end))) return null;
  const written = text.slice(start, end);
  const compact = lettersAndDigits(written);
  switch (shape.is) {
    case "card": {
      const kind = cardNumber(compact, compact.length < written.length);
      if (kind === null) return null;
      const announcedKinds = cueOf(text, area).kinds & (CUE.national | CUE.card);
      // what is announced as another number passes Luhn by chance
      if (
        kind === "plain" ? announcedKinds === CUE.national : !isAnnouncedCard(announcedKinds, text, start, end, compact)
      )
        return null;
      return { start, end, type: "CARD", rule: "card", canonical: compact };
    }
    case "ssn":
      return isSsn(compact, false) ? { start, end, type: "SSN", rule: "ssn", canonical: compact } : null;
    case "phone": {
      const local = compact.length === 11 && compact[0] === "1" ? compact.slice(1) : compact;
      if (text.charCodeAt(start - 1) === 43 || !/^[2-9]\d{9}$/.test(local)) return null;
      if (written.includes(" ") && isBehindDigits(i) && (cueOf(text, area).kinds & CUE.phone) === 0) return null;
      if (!isNorthAmerican(local) && !written.includes("-") && (cueOf(text, area).kinds & CUE.phone) === 0) return null;
      if ((cueOf(text, area).kinds & CUE.version) !== 0) return null;
      return { start, end, type: "PHONE", rule: "phone.national", canonical: `+1${local}` };
    }
    case "plan": {
      if (!shape.plan.test(compact) || text.charCodeAt(start - 1) === 43 || isBehindDigits(i)) return null;
      if ((cueOf(text, area).kinds & CUE.version) !== 0) return null;
      return { start, end, type: "PHONE", rule: "phone.national", canonical: compact };
    }
    case "mac":
      return isDottedMac(written) ? macHit(written, start, end) : null;
    case "vat":
    case "family": {
      const family = shape.is === "family" ? shape.family : vatFamily(written);
      return family !== undefined && isOfFamily(family, written)
        ? {
            start,
            end,
            type: "NATIONAL_ID",
            rule: ruleOfFamily(family.id),
            canonical: compact.toUpperCase(),
          }
        : null;
    }
  }
}

const isAnnouncedCard = (announcedKinds: number, text: string, start: number, end: number, digits: string): boolean =>
  (announcedKinds & CUE.card) !== 0 ||
  (announcedKinds === 0 && digits.length >= SHORTEST_CARD && isPayment(text, start, end, digits));
const SHORTEST_CARD = 14;
const BLAMED = /[0-9a-f]{7,40} (?:[\w./-]{1,80} {1,8})?\([^()\n]{1,60} \d{4}-\d\d-\d\d /y;

/** The commit in front of a line of `git blame`: what the line above says is not said of it. */
function isBlamed(text: string, start: number): boolean {
  BLAMED.lastIndex = start;
  return BLAMED.test(text);
}

const [SHORTEST_ANNOUNCED, ZERO] = [6, 48];
/** `089 / 123456`, `03(1234)5678`: an area code and what follows it. */
const BEHIND_SLASH = /^(?: ?\/ ?\d{3}|\(\d{2,4}\)\d)/;

function announced(text: string, i: number, start: number, kind: number, area: Area): Hit | null {
  const last = chunkEnd(i);
  const length = endOf(phrase, phrase.count - 1) - start;
  if (length < SHORTEST_ANNOUNCED && !isDigit(text.charCodeAt(start))) return null;
  if (
    kind < MIXED &&
    length < SHORTEST_ANNOUNCED &&
    !mayBeBirthDay(text, endOf(phrase, i)) &&
    !(text.charCodeAt(start) === ZERO && BEHIND_SLASH.test(text.slice(phrase.ends[i], endOf(phrase, i) + 7)))
  ) {
    // an area code in brackets ends its phrase
    return text.charCodeAt(start - 1) === 40 ? announcedPlace(text, start, cueOf(text, area), area) : null;
  }
  let announcement = cueOf(text, area);
  if (announcement.kinds === 0) {
    const end = endOf(phrase, last);
    if (end - start >= 7) announcement = cueAfter(text, end, area);
  }
  for (let j = Math.min(phrase.count - 1, i + 7); j >= last && announcement.kinds !== 0; j--) {
    if (!mayEndAt(text, j, area.to)) continue;
    const hit = announcedNumber(text, start, endOf(phrase, j), announcement);
    if (hit !== null) return kind > MIXED && isBlamed(text, start) ? null : hit;
  }
  if (kind >= MIXED || (announcement.kinds & CUE.version) !== 0) return null;
  if ((announcement.kinds & (CUE.phone | CUE.birth)) === 0 && (announcement.kinds !== 0 || isBehindDigits(i)))
    return null;
  return announcedPlace(text, start, announcement, area);
}
