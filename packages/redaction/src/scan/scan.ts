import { withoutBareDigits } from "./bare-digits.ts";
import type { Area } from "../detect/area.ts";
import { assignment, quotedPair } from "../detect/secrets/assignment.ts";
import { authorization, bareScheme, lowerSchemes } from "../detect/secrets/authorization.ts";
import { callArgument } from "../detect/secrets/call-argument.ts";
import { isDigit, isSpace } from "../detect/character.ts";
import { commandPassword } from "../detect/secrets/command-password.ts";
import { pipedPassword } from "../detect/secrets/piped-password.ts";
import { NO_CUE } from "../detect/cue.ts";
import { curlUser } from "../detect/secrets/curl-user.ts";
import { email } from "../detect/email.ts";
import { inFileNames } from "../detect/numbers/file-name.ts";
import { colonAddress, dashedMac, isHex, mayBeAddress } from "../detect/numbers/ip-address.ts";
import { FOREIGN_PAIRS, foreignPassword } from "../detect/secrets/foreign-password.ts";
import { jwt } from "../detect/secrets/jwt.ts";
import { type KnownValue, KnownValues } from "../detect/secrets/known.ts";
import { namedSetting } from "../detect/named-setting.ts";
import { namedValue } from "../detect/named-value.ts";
import { numbers } from "../detect/numbers/number.ts";
import { optionValue, variableValue } from "../detect/secrets/option-value.ts";
import { passwordHash } from "../detect/secrets/password-hash.ts";
import { cutPrivateKey, privateKey } from "../detect/secrets/pem.ts";
import { KEY_PAIRS, providerKey } from "../detect/secrets/provider-key.ts";
import { pairAt } from "../detect/rarity.ts";
import { repeated } from "../detect/repeated.ts";
import { spokenKey } from "../detect/secrets/spoken-key.ts";
import { spokenPassword } from "../detect/secrets/spoken-password.ts";
import { appToken, mailgunKey } from "../detect/secrets/unmarked-key.ts";
import { sourcePassword, urlCredentials } from "../detect/secrets/url-credentials.ts";
import { wholeValue } from "../detect/whole-value.ts";
import { writtenEmail } from "../detect/written-email.ts";
import { xmlElement } from "../detect/xml-element.ts";
import { folded, isWritten, parted, visible } from "./fold.ts";
import { type Hit, type RuleType, settle, TYPES } from "./hit.ts";
import { withoutMedia } from "../scrub/media.ts";
import { createPairTable } from "./pair-table.ts";
import { NOWHERE, type FieldContext } from "../names/field-context.ts";
import { behindTokens, elsewhere, withoutTokens } from "./scan-again.ts";

const AT = 1;
const DIGIT = 2;
const KEY = 4;
const ASSIGN = 8;
const KNOWN = 16;
const DASH = 32;
const PERCENT = 64;
const WORD = 128;
const SCHEME_PAIRS = ["Be", "BE", "Ba", "BA"];
const NAME_PAIRS = ["za", "zA", "Za", "ZA", "sw", "sW", "SW", "wd", "WD", "nw", "pw", "PW", "Pw"];
const WORD_PAIRS = [
  "</",
  '("',
  "('",
  '",',
  "',",
  "Y ",
  "E ",
  "N ",
  "D ",
  "T ",
  "S ",
  "W ",
  "K ",
  "ke",
  "Ke",
  "KE",
  "cr",
  "CR",
  "$1",
  "$2",
  "$5",
  "$6",
  "$7",
  "$a",
  "$g",
  "$y",
];
const FALLBACK_PAIRS = ["||", "??"];
const EMAIL_PAIRS = ["t)", "T)", "t]", "T]", "t}", "T}"];
const DASH_PAIRS = ["--", "-p", "-a", "-w", "-b", "-c", "-P", "-A", "-X", "-U", "-s", "-k", "-S"];
const SHORT_OPTIONS = new Set([..."pawbcPAXUskS"].map((c) => c.charCodeAt(0)));
const [DOLLAR, BRACKET] = [36, 40];

const NO_RULES: ReadonlySet<string> = new Set();
const BYTE = 256;
const PEM_DASHES = 5;
const LONGEST_AGAIN = 4096;
const MOST_ROUNDS = 3;
const NUMBER_TYPES: readonly RuleType[] = [
  "CARD",
  "IBAN",
  "SSN",
  "NATIONAL_ID",
  "PASSPORT",
  "DRIVING_LICENCE",
  "PHONE",
  "IP",
  "MAC",
  "BIRTH_DATE",
  "ADDRESS",
  "WALLET",
];

/** Finds values in one leaf, in one pass; every look around a stop is bounded, so the time is linear. */
export interface Scanner {
  /** `place`: what the name above the leaf says */
  scan(text: string, from: number, to: number, place?: FieldContext): Hit[];
  /** values to be found exactly, anywhere; returns false if it was known already */
  learn(value: KnownValue): boolean;
}

/**
 * Every rule hangs on a pair of neighbouring characters that is rare in prose; a table with one byte for each pair
 * says where to stop and what to look for. What looks is bounded on both sides. `offRules`: ids of single rules whose
 * hits do not count.
 */
export function createScanner(isOn: (type: RuleType) => boolean, offRules: ReadonlySet<string> = NO_RULES): Scanner {
  const known = new KnownValues();
  const stops = createPairTable();
  const off = new Set<string>(TYPES.filter((type) => !isOn(type)));
  let anyKnown = false;

  const stopAt = (characters: string, flag: number, after: (unit: number) => boolean = () => true): void => {
    for (let i = 0; i < characters.length; i++)
      for (let before = 0; before < BYTE; before++)
        if (after(before)) stops.add((before << 8) | characters.charCodeAt(i), flag);
  };
  if (NUMBER_TYPES.some(isOn) || isOn("AUTH")) stopAt("0123456789", DIGIT, (unit) => !isDigit(unit));
  if (isOn("EMAIL")) {
    stopAt("@", AT);
    stops.add(("%".charCodeAt(0) << 8) | "4".charCodeAt(0), PERCENT);
    for (const pair of EMAIL_PAIRS) stops.add(pairAt(pair, 1), WORD);
  }
  if (isOn("AUTH") || isOn("IP") || isOn("MAC")) stopAt("=:", ASSIGN);
  if (isOn("AUTH")) stops.add(("-".charCodeAt(0) << 8) | "u".charCodeAt(0), DASH);
  if (isOn("AUTH")) {
    stopAt("|", ASSIGN, isSpace);
    for (const pair of FALLBACK_PAIRS) stops.add(pairAt(pair, 1), ASSIGN);
    for (const pair of WORD_PAIRS) stops.add(pairAt(pair, 1), WORD);
    for (const pair of DASH_PAIRS) stops.add(pairAt(pair, 1), DASH);
  }
  if (isOn("PEM")) stops.add(pairAt("N ", 1), WORD);
  if (isOn("PEM")) for (const pair of ["-B", "-E"]) stops.add(pairAt(pair, 1), DASH);
  if (isOn("MAC") || isOn("KEY")) stopAt("-", DASH, isHex);
  if (isOn("KEY")) stopAt("|", WORD, isDigit);
  if (isOn("JWT")) stops.add(("y".charCodeAt(0) << 8) | "J".charCodeAt(0), WORD);
  if (isOn("AUTH"))
    for (const pair of [...SCHEME_PAIRS, ...NAME_PAIRS, ...FOREIGN_PAIRS]) stops.add(pairAt(pair, 1), WORD);
  if (isOn("KEY"))
    for (const pair of KEY_PAIRS)
      if (pair < BYTE) stopAt(String.fromCharCode(pair), KEY, isLetterOrDigit);
      else stops.add(pair, KEY);

  /** Looks around one place where something may stand. */
  function look(text: string, at: number, flags: number, area: Area): void {
    const { from, to, hits } = area;
    if ((flags & KNOWN) !== 0) known.find(text, at, from, to, hits);
    if ((flags & DIGIT) !== 0 && at >= area.numberTo && isDigit(text.charCodeAt(at))) numbers(text, at, area);
    if ((flags & KEY) !== 0) push(hits, providerKey(text, at, from, to));
    if ((flags & ASSIGN) !== 0) equals(text, at, area);
    if ((flags & AT) !== 0 && at > area.userInfoTo && text.charCodeAt(at) === 64)
      push(hits, email(text, at, 1, from, to) ?? sourcePassword(text, at, area));
    if ((flags & WORD) !== 0) word(text, at, area);
    if ((flags & PERCENT) !== 0 && text.startsWith("%40", at - 1)) push(hits, email(text, at - 1, 3, from, to));
    if ((flags & DASH) !== 0) dash(text, at, area);
  }

  function equals(text: string, at: number, area: Area): void {
    const { from, to, hits } = area;
    const isColon = text.charCodeAt(at) === 58;
    if (text.charCodeAt(at) === 124) {
      const piped = pipedPassword(text, at, area);
      if (piped !== null) {
        hits.push(piped);
        return;
      }
    }
    if (isColon && at >= area.colonTo && mayBeAddress(text, at, from, to)) {
      const { hit, end } = colonAddress(text, at, from, to);
      area.colonTo = end;
      if (hit !== null) {
        hits.push(hit);
        return;
      }
    }
    if (isColon && text.startsWith("://", at) && at + 2 < to) {
      const info = urlCredentials(text, at + 3, to);
      if (info === null) return;
      hits.push(...info.hits);
      // a colon or a secret name inside is part of it
      area.userInfoTo = area.colonTo = info.at;
      area.valueTo = Math.max(area.valueTo, info.at);
      return;
    }
    push(hits, assignment(text, at, area) ?? namedSetting(text, at, area));
  }

  function word(text: string, at: number, area: Area): void {
    const { from, to, hits } = area;
    const unit = text.charCodeAt(at);
    const before = text.charCodeAt(at - 1);
    if (before === DOLLAR) push(hits, passwordHash(text, at, area));
    else if (before === BRACKET && (unit === 34 || unit === 39)) push(hits, callArgument(text, at, area));
    else if (unit === 41 || unit === 93 || unit === 125) push(hits, writtenEmail(text, at, area));
    else if (unit === 47) push(hits, xmlElement(text, at, area));
    else if (unit === 124) push(hits, appToken(text, at, area));
    else if (unit === 44) push(hits, quotedPair(text, at, area));
    else if (unit === 32) {
      if (text.startsWith("---- BEGIN", at - 10)) pem(text, at - 10, area);
      else push(hits, variableValue(text, at, area));
    } else if ((unit === 101 || unit === 69) && (before | 32) === 107) push(hits, spokenKey(text, at, area));
    else if ((unit | 32) === 114) push(hits, spokenKey(text, at, area));
    else if (unit === 74) {
      if (at - 2 >= from && text.startsWith("eyJ", at - 2)) push(hits, jwt(text, at - 2, from, to));
    } else if ((unit | 32) === 97 && (text.charCodeAt(at - 1) | 32) === 122) push(hits, authorization(text, at, area));
    else if ((unit | 32) === 119 || (unit | 32) === 100) push(hits, spokenPassword(text, at, area));
    else push(hits, bareScheme(text, at, area) ?? foreignPassword(text, at, area));
  }

  function dash(text: string, at: number, area: Area): void {
    const { from, to, hits } = area;
    const unit = text.charCodeAt(at);
    if (unit === 117) push(hits, curlUser(text, at, area));
    else if (SHORT_OPTIONS.has(unit)) push(hits, commandPassword(text, at, area));
    else if (unit === 45 && text.charCodeAt(at - 1) === 45) push(hits, optionValue(text, at, area));
    else if (unit === 66) {
      const start = at - PEM_DASHES;
      if (start >= area.pemTo) pem(text, start, area);
    } else if (unit === 69) {
      const start = at - PEM_DASHES;
      if (start >= area.pemTo && start >= from) area.pemTo = cutPrivateKey(text, start, area);
    } else if (unit === 45) push(hits, mailgunKey(text, at, area) ?? dashedMac(text, at, from, to));
  }

  function pem(text: string, start: number, area: Area): void {
    area.pemTo = Math.max(area.pemTo, privateKey(text, start, area.to, area.hits));
  }

  function found(text: string, place: FieldContext): Hit[] {
    const hits: Hit[] = [];
    const from = 0;
    const to = text.length;
    const area: Area = {
      from,
      to,
      place,
      hits,
      pemTo: from,
      userInfoTo: from - 1,
      numberTo: from,
      colonTo: from,
      valueTo: from,
      cue: NO_CUE,
      fileNames: [],
      hasCurl: null,
      namesCurl: null,
      hasOracle: null,
    };
    stops.walk(text, look, area);
    if (!off.has("AUTH")) hits.push(...lowerSchemes(text, area));
    if (area.fileNames.length > 0) hits.push(...inFileNames(text, area, (name) => found(name, NOWHERE)));
    if (place.cue.kinds !== 0) {
      push(hits, wholeValue(text, from, to, place));
      const named = namedValue(text, from, to, place);
      if (named !== null && !hits.some((hit) => hit.start <= named.start && hit.end >= named.end)) hits.push(named);
    }
    return hits;
  }

  /** Hits of one leaf, without overlaps. */
  function leafHits(leaf: string, place: FieldContext): Hit[] {
    let written = isWritten(leaf);
    let hits = found(written ? parted(leaf) : leaf, place);
    // a text of one-byte characters answers both at once
    const plain = folded(leaf);
    const same = (at: number): number => at;
    if (plain !== leaf) {
      written = isWritten(plain);
      hits.push(...elsewhere(found(written ? parted(plain) : plain, place), plain, same, same));
    }
    const seen = visible(plain, written);
    if (seen !== null) {
      const start = (at: number): number => seen.starts[at] as number;
      const end = (at: number): number => seen.ends[at - 1] as number;
      hits.push(...elsewhere(found(seen.text, place), seen.text, start, end));
    }
    if (place.idLike && hits.length > 0) hits = withoutBareDigits(leaf, hits);
    if (hits.length === 0) return hits;
    hits.push(...repeated(leaf, hits));
    if (off.size > 0) hits = hits.filter((hit) => !off.has(hit.type));
    if (offRules.size > 0) hits = hits.filter((hit) => hit.rule === undefined || !offRules.has(hit.rule));
    return withoutMedia(leaf, 0, withoutTokens(leaf, settle(hits)));
  }

  function scan(text: string, from: number, to: number, place: FieldContext = NOWHERE): Hit[] {
    // what stands around a leaf must not be seen
    const leaf = from === 0 && to === text.length ? text : text.slice(from, to);
    let hits = leafHits(leaf, place);
    if (hits.length === 0) return hits;
    // a number may look different beside a token: what a second pass would find is found now
    for (let round = 0; round < MOST_ROUNDS && leaf.length <= LONGEST_AGAIN; round++) {
      const more = behindTokens(leaf, hits, (replaced) => leafHits(replaced, place));
      if (more.length === 0) break;
      hits = [...hits, ...more].sort((a, b) => a.start - b.start);
    }
    return from === 0 ? hits : hits.map((hit) => ({ ...hit, start: hit.start + from, end: hit.end + from }));
  }

  function learn({ value, type }: KnownValue): boolean {
    const pairs = known.add(value, type ?? "SECRET");
    if (pairs === null) return false;
    anyKnown = true;
    for (const pair of pairs) stops.add(pair, KNOWN);
    return anyKnown;
  }
  return { scan, learn };
}

const isLetterOrDigit = (unit: number): boolean =>
  isDigit(unit) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122);
function push(hits: Hit[], hit: Hit | null): void {
  if (hit !== null) hits.push(hit);
}
