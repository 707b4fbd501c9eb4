import { entropyOf } from "./placeholder.ts";

/** Names joined by points, as code reaches for a value: `workloadIdentity.fromX509`, `ROTP::Base32.random`. */
const CHAIN = /^[A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)*$/;
/** What may stand behind the bracket of a call: an argument, or the end of the list. */
const ARGUMENT = /[([][\s)\]"'`\w{[&*$-]/y;
const PIECE = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g;
const [OPEN, OPEN_INDEX, SPACE] = [40, 91, 32];
const LEAST_LETTERS = 3;
const MOST_DIGITS = 3;
/** `com.example.Token@2bd79ce`, `com.apple.xpc.activity/4505` */
const PACKAGE = /^(?:com|org|net|io|java|javax|android|sun|dev)(?:\.[A-Za-z_]\w*){2,}(?:[@/][0-9a-f]{1,16})?$/;
/** Types with digits in their names. */
const TYPE =
  /^(?:(?:Big)?(?:Ui|I)nt\d{1,3}(?:Clamped)?Array|Float\d\dArray|[ui](?:8|16|32|64|128)|u?int\d{1,3}(?:_t)?|Base64\w{0,12}|Utf8\w{0,12}|X509\w{0,24})$/;

/**
 * Whether the unquoted value of a secret name, `text[start, end)`, is an expression of code: a call, a
 * member of an object, a path of names. `at`: the sign before it.
 */
export function isExpression(text: string, at: number, start: number, end: number): boolean {
  const found = text.slice(start, end);
  // `Token::Prefix`, and the symbols of Ruby
  if (found.startsWith(":")) return /^:{1,2}[A-Za-z_]\w*[?!]?/.test(found);
  if (PACKAGE.test(found) || TYPE.test(found)) return true;
  // an expression of letters and brackets: `/AUTH_[a-z]{4}/`
  if (found.startsWith("/") && text.charCodeAt(end) === OPEN_INDEX) return true;
  if (!CHAIN.test(found)) return false;
  const next = text.charCodeAt(end);
  if (next === OPEN || next === OPEN_INDEX) {
    ARGUMENT.lastIndex = end;
    return ARGUMENT.test(text) && isWordLike(found);
  }
  // a password may have a point in it; code puts a space behind its sign
  if (!/[.>:]/.test(found) || text.charCodeAt(at + 1) !== SPACE || !isWordLike(found)) return false;
  const names = found.split(/\??\.|::|->/);
  return found.includes("::") || /[a-z][A-Z]|_/.test(found) || /^[A-Za-z]{3,}$/.test(names.at(-1) as string);
}

/** Made of words, as names are; what is random has capitals and digits everywhere. */
function isWordLike(found: string): boolean {
  const pieces = found.match(PIECE) ?? [];
  const words = pieces.filter((piece) => /[A-Za-z]/.test(piece));
  const digits = pieces.filter((piece) => /\d/.test(piece));
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  return (
    letters >= words.length * LEAST_LETTERS &&
    digits.length <= 2 &&
    digits.every((piece) => piece.length <= MOST_DIGITS) &&
    entropyOf(found) < 4.5
  );
}
