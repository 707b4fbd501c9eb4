import type { Hit } from "../../scan/hit.ts";
import { passesLuhn } from "./luhn.ts";

/** `[first, last]` of the leading six digits, and the lengths that the issuer uses. Reviewed as data. */
const ISSUERS: ReadonlyArray<readonly [number, number, readonly number[]]> = [
  [400000, 499999, [13, 16, 19]], // Visa
  [510000, 559999, [16]], // Mastercard
  [222100, 272099, [16]], // Mastercard, second series
  [340000, 349999, [15]], // American Express
  [370000, 379999, [15]],
  [601100, 601199, [16, 19]], // Discover
  [644000, 659999, [16, 19]],
  [300000, 305999, [14, 16]], // Diners Club
  [309500, 309599, [14, 16]],
  [360000, 369999, [14, 16, 19]],
  [380000, 399999, [14, 16, 19]],
  [352800, 358999, [16, 17, 18, 19]], // JCB
  [180000, 180099, [15]],
  [213100, 213199, [15]],
  [620000, 629999, [16, 17, 18, 19]], // UnionPay
  [810000, 817199, [16, 17, 18, 19]],
  [817200, 820199, [16]], // RuPay
  [500000, 509999, [12, 13, 14, 15, 16, 17, 18, 19]], // Maestro
  [560000, 589999, [12, 13, 14, 15, 16, 17, 18, 19]],
  [600000, 639999, [12, 13, 14, 15, 16, 17, 18, 19]], // Maestro, RuPay, InstaPayment
  [670000, 679999, [12, 13, 14, 15, 16, 17, 18, 19]],
  [220000, 220499, [16, 17, 18, 19]], // Mir
  [979200, 979299, [16]], // Troy
  [989000, 989099, [16]],
];
/** Lengths of cards, a bit each, by their first two digits. */
const LENGTHS = new Int32Array(100);
for (const [first, last, lengths] of ISSUERS)
  for (let head = Math.floor(first / 10_000); head <= Math.floor(last / 10_000); head++)
    for (const length of lengths) LENGTHS[head] = (LENGTHS[head] ?? 0) | (1 << length);

/** The length of cards of any issuer. */
const COMMON = 16;

/** The cheap first look at a number of `length` digits, the first two of which stand at `start`. */
export function mayBeCard(text: string, start: number, length: number): boolean {
  if (length === COMMON) return true;
  const head = (text.charCodeAt(start) - 48) * 10 + text.charCodeAt(start + 1) - 48;
  return (((LENGTHS[head] ?? 0) >> length) & 1) === 1;
}

/** Numbers that issuers and payment services publish for tests: digits alone, and still no id. */
const PUBLISHED = new Set(
  (
    "4111111111111111 4242424242424242 4012888888881881 4000056655665556 4000000000000002 4000000000009995 " +
    "5555555555554444 5105105105105100 5200828282828210 2223003122003222 378282246310005 371449635398431 " +
    "378734493671000 6011111111111117 6011000990139424 3530111333300000 3566002020360505 30569309025904 " +
    "38520000023237 36227206271667 6200000000000005 5019717010103742 4539578763621486"
  ).split(" "),
);

/** The context of a payment: words before or behind the number, or the month in which the card ends. */
const PAYMENT =
  /(?:^|[^A-Za-z])(?:pay(?:s|ing|ment|ments|er|able)?|paid|charge[sd]?|charging|checkout|bill(?:ed|ing)?|cards?(?:holder|number|no)?|cc|ccn|visa|master ?card|amex|american express|discover|credit|debit|cvv2?|cvc2?|exp(?:iry|ires|iration|iring)?|valid thru|karten?(?:nummer)?|kreditkarte|gültig bis|zahl(?:en|ung|e)|tarjeta|pago|pagar|cobrar|carte(?: bancaire)?|payer|paiement|cartão|pagamento|carta|caduca|карт\p{L}{0,3}|оплат\p{L}{0,3})(?![A-Za-z])|カード|信用卡|银行卡|支付|付款|카드|결제/iu;
const EXPIRY = /^[\s,;|/)"'.-]{0,6}(?:exp\w{0,8}[\s.:]{0,3})?(?:0[1-9]|1[0-2])[ ]?[/-][ ]?(?:20)?[2-4]\d(?!\d)/i;
const SECOND_TRACK = /^=\d{7,}/;
/** `payment id: `, `transaction `: a number of something else. */
const IS_ID =
  /(?:^|[^A-Za-z])(?:id|ids|ref|reference|order|txn|transaction|session|request|trace|invoice|tracking|batch|uuid)["'`]?[^A-Za-z0-9]{0,4}$/i;
const BEFORE = 64;
const BEHIND = 40;

/** Whether the text around bare digits speaks of a payment. An id passes Luhn, issuer and length in one of thirty cases. */
export function isPayment(text: string, start: number, end: number, digits: string): boolean {
  if (PUBLISHED.has(digits)) return true;
  const behind = text.slice(end, end + BEHIND);
  if (EXPIRY.test(behind) || (text[start - 1] === ";" && SECOND_TRACK.test(behind))) return true;
  const before = text.slice(Math.max(0, start - BEFORE), start);
  return !IS_ID.test(before) && (PAYMENT.test(before) || PAYMENT.test(behind));
}

/**
 * Whether digits are a card number: issuer, length and Luhn. `plain`: in the groups that cards use they are one by
 * themselves; `announced`: only if a name or the words around say so.
 */
export function cardNumber(digits: string, grouped: boolean): "plain" | "announced" | null {
  const { length } = digits;
  if (length < 12 || length > 19 || !passesLuhn(digits, 0, length)) return null;
  const head = Number(digits.slice(0, 6));
  // an issuer that is not known
  if (!ISSUERS.some(([first, last, lengths]) => head >= first && head <= last && lengths.includes(length)))
    return length === COMMON && digits[0] !== "0" ? "announced" : null;
  return grouped && length >= 13 ? "plain" : "announced";
}

const [PERCENT, CARET, B] = [37, 94, 98];

/** `%B4111…^NAME^…`: the first track of a card. */
export function magneticStripe(text: string, start: number, end: number): Hit | null {
  if (text.charCodeAt(start - 1) !== PERCENT || text.charCodeAt(end) !== CARET || (text.charCodeAt(start) | 32) !== B)
    return null;
  const digits = text.slice(start + 1, end);
  if (!/^\d+$/.test(digits) || cardNumber(digits, false) === null) return null;
  return { start: start + 1, end, type: "CARD", rule: "card", canonical: digits };
}
