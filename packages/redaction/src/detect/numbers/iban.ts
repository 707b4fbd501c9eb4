import type { Hit } from "../../scan/hit.ts";
import { isDigit, isSpace, isWord } from "../character.ts";
import { mayFollow, mayPrecede } from "./phrase.ts";

/** Length by country, from the registry of the standard, and of those that use the form without being in it. */
const LENGTHS = new Map(
  (
    "AD24AE23AL28AT20AZ28BA20BE16BG22BH22BI27BR29BY28CH21CR22CY28CZ24DE22DJ27DK18DO28EE20EG29ES24FI18FK18FO18FR27" +
    "GB22GE22GI23GL18GR27GT28HN28HR21HU28IE22IL23IQ23IS26IT27JO30KW30KZ20LB28LC32LI21LT20LU20LV21LY25MC27MD24ME22" +
    "MK19MN20MR27MT31MU30NI28NL18NO15OM23PK24PL28PS29PT25QA29RO24RS22RU33SA24SC31SD18SE24SI19SK24SM27SO23ST25SV28" +
    "TL23TN24TR26UA29VA22VG24XK20YE30AO25BF28BJ28CF27CG27CI28CM27CV25DZ26GA27GQ27GW25IR26KM27MA28MG27ML28MZ25NE28" +
    "SN28TD27TG28"
  )
    .match(/[A-Z]{2}\d\d/g)
    ?.map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** An account number whose country stands at `start`; compact, or in groups with spaces or dashes between. */
export function iban(text: string, start: number, from: number, to: number): Hit | null {
  if (!isDigit(text.charCodeAt(start + 2)) || !isDigit(text.charCodeAt(start + 3))) return null;
  const length = LENGTHS.get(text.slice(start, start + 2).toUpperCase());
  if (length === undefined || !mayBegin(text, start, from)) return null;
  const written = accountAt(text, start, to, length);
  if (written === null) return null;
  const { end } = written;
  if (!isOneCase(written.compact)) return null;
  if (!mayPrecede(text, end, to) && !isCurrency(text, start, end)) return null;
  const canonical = written.compact.toUpperCase();
  return remainder(canonical.slice(4) + canonical.slice(0, 4)) === 1
    ? { start, end, type: "IBAN", rule: "iban", canonical }
    : null;
}

/** So many letters and digits from `start` on, with single separators between; null: there are less. */
function accountAt(text: string, start: number, to: number, length: number): { compact: string; end: number } | null {
  let compact = "";
  let end = start;
  while (end < to && compact.length < length) {
    const unit = text.charCodeAt(end);
    if (isWord(unit)) compact += text[end];
    else if (!(isSpace(unit) || unit === DASH) || !isWord(text.charCodeAt(end + 1))) return null;
    end++;
  }
  return compact.length === length ? { compact, end } : null;
}
const DASH = 45;

/**
 * Whether each sequence of letters is written as people write them: `WEST`, `west` or `West`. A random id of both cases
 * may have the length and the check digits of an account.
 */
const isOneCase = (compact: string): boolean => !/[a-z][A-Z]|[A-Z]{2}[a-z]/.test(compact);

const mayBegin = (text: string, start: number, from: number): boolean =>
  mayFollow(text, start - 1, from) || isLabelled(text, start, from) || isMarked(text, start, from);

const CURRENCY = /[A-Z]{3}(?!\w)/y;
/** `DE89…EUR`: the account of a statement, in capitals. A random id of both cases may look like one. */
function isCurrency(text: string, start: number, end: number): boolean {
  CURRENCY.lastIndex = end;
  return CURRENCY.test(text) && !/[a-z]/.test(text.slice(start, end));
}

/** `IBAN+DE89…` in the purpose of a transfer. */
const isMarked = (text: string, start: number, from: number): boolean =>
  start - 5 >= from && /^iban\+$/i.test(text.slice(start - 5, start));

/** `IBANDE89…` */
const isLabelled = (text: string, start: number, from: number): boolean =>
  start - 4 >= from && /^iban$/i.test(text.slice(start - 4, start)) && mayFollow(text, start - 5, from);

/** Letters count as 10 to 35; the whole number modulo 97. */
function remainder(text: string): number {
  let rest = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    rest = isDigit(unit) ? (rest * 10 + unit - 48) % 97 : (rest * 100 + unit - 55) % 97;
  }
  return rest;
}
