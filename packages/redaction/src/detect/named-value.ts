import type { Hit, RuleType } from "../scan/hit.ts";
import { type FieldContext, fieldContext } from "../names/field-context.ts";
import { CUE, wordsOfNames } from "./cue.ts";
import { passesLuhn } from "./numbers/luhn.ts";
import { mayHaveLength } from "./national/national-id.ts";

const LONGEST = 44;
const WRITTEN = /^[A-Za-z0-9][A-Za-z0-9 ()./–-]*$/;
const DAY = /^(?:19|20)\d\d[-/.]?(?:0[1-9]|1[0-2])[-/.]?(?:0[1-9]|[12]\d|3[01])$/;
const DECIMAL = /^\d{0,2}\.\d+$|^\d+\.\d{1,2}$/;
const ACCOUNT = /^[A-Z]{2}\d\d[A-Z0-9]{8,32}$/;
/** A day in any order and language; the letters are those of a month. */
const DATE = /^(?=(?:[^]*\d){3})[\p{L}\p{N}][\p{L}\p{M}\p{N} .,'’/:+-]{3,39}$/u;
const MOST_WORDS = 6;
/** A release, a quantity, an address of memory: all that else has digits under such a name. */
const OTHER = /^(?:(?=(?:\D*\d){4,5}\D*$)v?\d+(?:\.\d+){1,3}|\d{1,3}(?:,\d{3})+|0x[0-9a-f]+)$/i;

/**
 * What stands alone under a name that says what it is (`customer_ssn`, `steuernummer`, `cardNumber`): it goes although
 * its check digits fail or its letters are small, since a mistyped number identifies a person as well.
 */
export function namedValue(text: string, from: number, to: number, field: FieldContext): Hit | null {
  const { kinds, families } = field.cue;
  if ((kinds & NAMED) === 0 || to - from > LONGEST * 2) return null;
  const raw = text.slice(from, to);
  const value = raw.trim();
  if (value.length < 4 || value.length > LONGEST) return null;
  const start = from + raw.length - raw.trimStart().length;
  const end = start + value.length;
  if ((kinds & CUE.birth) !== 0 && isDay(value)) return { start, end, type: "BIRTH_DATE", rule: "birth-date" };
  if (!WRITTEN.test(value) || OTHER.test(value) || value.split(" ").length > MOST_WORDS * 2) return null;
  const compact = value.replace(/[^0-9A-Za-z]/g, "").toUpperCase();
  const digits = compact.replace(/[A-Z]/g, "").length;
  if (digits < 4 || /^(.)\1*$/.test(compact)) return null;
  const number: NamedNumber = { value, compact, digits, letters: compact.length - digits, kinds, families };
  const kind = NUMBER_KINDS.find((each) => (kinds & each.kinds) !== 0 && each.fits(number));
  // what replaces a card by a policy stays
  if (kind === undefined || (kind.rule(number) === "card" && isStandIn(compact))) return null;
  return { start, end, type: kind.type, rule: kind.rule(number), canonical: compact };
}

interface NamedNumber {
  readonly value: string;
  /** letters and digits, in capitals */
  readonly compact: string;
  /** how many of each */
  readonly digits: number;
  readonly letters: number;
  /** what the name says */
  readonly kinds: number;
  readonly families: readonly string[];
}

interface NumberKind {
  readonly kinds: number;
  readonly type: RuleType;
  readonly rule: (number: NamedNumber) => string;
  readonly fits: (number: NamedNumber) => boolean;
}

const isDocument = ({ value, compact }: NamedNumber, least: number, most: number): boolean =>
  compact.length >= least && compact.length <= most && !DAY.test(value);

/** Of several kinds that a name may announce, the first one that fits counts. */
const NUMBER_KINDS: readonly NumberKind[] = [
  {
    kinds: CUE.card,
    type: "CARD",
    rule: () => "card",
    fits: ({ digits, letters }) => letters === 0 && digits >= 12 && digits <= 19,
  },
  {
    kinds: CUE.iban | CUE.bank,
    type: "IBAN",
    rule: ({ compact }) => (ACCOUNT.test(compact) ? "iban" : "bank-account"),
    fits: ({ compact, kinds, digits, letters }) => ACCOUNT.test(compact) || isAccount(kinds, digits, letters),
  },
  {
    // an O for a zero
    kinds: CUE.ssn,
    type: "SSN",
    rule: () => "ssn",
    fits: ({ value, compact, letters }) =>
      letters <= 2 && compact.length >= 8 && compact.length <= 10 && !DECIMAL.test(value),
  },
  {
    kinds: CUE.national,
    type: "NATIONAL_ID",
    rule: () => "id.named",
    fits: ({ value, compact, digits, families }) => isNumberOf(value, compact, digits, families),
  },
  { kinds: CUE.passport, type: "PASSPORT", rule: () => "passport", fits: (number) => isDocument(number, 6, 14) },
  { kinds: CUE.licence, type: "DRIVING_LICENCE", rule: () => "licence", fits: (number) => isDocument(number, 5, 20) },
];

/** Last letters of the words that such names end with, as one number: the cheap first look at each name of a text. */
const endings = new Uint8Array(1 << 15);
let isLearned = false;

function endingOf(text: string, from: number, to: number): number {
  let ending = 0;
  let letters = 0;
  for (let at = to - 1; at >= from && letters < 3; at--) {
    const unit = text.charCodeAt(at) | 32;
    if (unit < 97 || unit > 122) {
      if (text.charCodeAt(at) > 127) return 0;
      continue;
    }
    ending = (ending << 5) | (unit - 96);
    letters++;
  }
  return ending;
}

/** The cheap first look: whether a name that ends at `to` may be one of a number. It begins at `from` or behind. */
export function mayNameNumber(text: string, from: number, to: number): boolean {
  if (!isLearned) {
    isLearned = true;
    endings[0] = 1;
    for (const word of [...wordsOfNames(NAMED), "number", "no", "num", "nr", "id", "code", "value"])
      endings[endingOf(word, 0, word.length)] = 1;
  }
  return endings[endingOf(text, Math.max(from, to - LONGEST_END), to)] === 1;
}
const LONGEST_END = 8;

/** Whether a name says that a number of these kinds stands behind it. */
export function isNumberName(name: string): boolean {
  return mayNameNumber(name, 0, name.length) && (fieldContext(name).cue.kinds & NAMED) !== 0;
}

const NAMED = CUE.card | CUE.iban | CUE.bank | CUE.ssn | CUE.national | CUE.passport | CUE.licence | CUE.birth;

/** What replaces a card by a policy where code parses its digits: it stays when it is read again. */
const isStandIn = (digits: string): boolean => digits.startsWith("9") && !passesLuhn(digits, 0, digits.length);

const isDay = (value: string): boolean => DATE.test(value) && value.split(/\s+/).length <= MOST_WORDS;

/** Under `iban` any long number; under `account_number` a number with hardly a letter. */
function isAccount(kinds: number, digits: number, letters: number): boolean {
  if ((kinds & CUE.iban) !== 0) return digits + letters >= 12 && digits >= 8;
  return digits >= 6 && digits <= 28 && letters <= 4 && letters < digits / 2;
}

function isNumberOf(value: string, compact: string, digits: number, families: readonly string[]): boolean {
  const { length } = compact;
  if (length < 5 || length > 22 || DECIMAL.test(value) || DAY.test(value)) return false;
  // a year
  if (digits === length && length < 6) return false;
  // people write the number of another country or office under a name too
  return mayHaveLength(families, length) || (digits >= LEAST_OF_ANY && digits <= MOST_OF_ANY);
}

/** Digits of a number that no family of its name has. */
const [LEAST_OF_ANY, MOST_OF_ANY] = [8, 16];
