import type { Hit } from "../../scan/hit.ts";
import { FOREIGN_PHRASES } from "../../names/foreign-passwords.ts";
import { COOKIE } from "../../scrub/keyed.ts";
import { isPlainUnder } from "../../names/plain-under-secret.ts";
import { isForeign, isSecretName, isSecretParameter, isVendorName, maySaySecret } from "../../names/secret-name.ts";
import { SHORT_NUMBER } from "../../names/secret-words.ts";
import { isKeyMember, maySayMore } from "../../names/weak-name.ts";
import type { Area } from "../area.ts";
import { isForeignLetter, isSpace, isWord } from "../character.ts";
import { appPassword, isQuote, parameter, value, vendorToken, wordList } from "./assigned-value.ts";
import { cookies } from "./cookie.ts";
import { puttyKey } from "./pem.ts";
import { shortPassword } from "./short-password.ts";

const LONGEST_NAME = 64;
/** blanks and marks between a name and its sign */
const MOST_BLANKS = 3;
/** Cells of a table are padded. */
const MOST_PADDING = 40;
const [COLON, EQUALS, BAR] = [58, 61, 124];
const PARAMETERS_BEGIN = new Set([..."?&"].map((c) => c.charCodeAt(0)));
const SPLIT_NAMES = /^(?:key|base|pass|code|phrase|value|signature)$/i;
const PHRASES = /(?:phrase|mnemonic)$/i;
const SHORT_CODE = /^["'`\s]{0,3}(\d{3,4})(?!\w)/;
const DECLARED =
  /(?:\[["']?([\w.-]{2,64})["']?\]|([A-Za-z_]\w{1,63})(?:\[\d{0,4}\])|\b(?:var|const)[ \t]([A-Za-z_]\w{1,63})[ \t]{1,3}\*?[A-Za-z][\w.]{0,30}|([A-Za-z_]\w{1,63})\??[ \t]{0,3}:[ \t]{0,3}[&*]?(?:'[a-z]{1,16} )?[A-Za-z_][\w.<>?]{0,30}|([A-Za-z_]\w{1,63})\s{0,3}\{\s{0,2}(?:get|set|private)[^}\n]{0,40}\})[ \t]{0,3}$/;
/** `'#`, `"input[name='`: what stands in a selector before the name of a field. */
const SELECTOR = /["'`](?:[\w .>:-]{0,40})(?:#|\[[\w-]{2,12}[~^$*]?=["']?)$/;
const PADDED_QUOTE = /[ \t]{0,40}["']/y;
const PARAMETER_MARKS = new Set([..."?&#;"].map((c) => c.charCodeAt(0)));
/** Last letters of the words that make a name secret: the cheap first look at each `:` and `=`. */
const LAST_LETTERS = new Set([..."abcdefghiklmnoprstuvwxyz2ABCDEFGHIKLMNOPRSTUVWXYZ"].map((c) => c.charCodeAt(0)));
/** `<add key="Password" value="…"/>`, `name: DB_PASSWORD, value: …` */
const NAMED_VALUE =
  /(?:key|name)["']?\s{0,3}[:=]\s{0,3}["']?([\w.-]{3,64})["']?(?:\s(?:type|id|class|autocomplete)="[^"<>]{0,60}"){0,4}[\s,]{1,40}$/i;
/** `<input type="password" value="…">` */
const PASSWORD_FIELD = /<input\b[^<>]{0,120}\btype=["']?password\b[^<>]{0,120}$/i;
/** `db_password:`, and on the next line `  value: …` */
const NAME_ABOVE = /(?:^|[\s"'])([\w.-]{3,64})["']?:[ \t]{0,3}\r?\n[ \t]{1,16}["']?$/;
/** `variable "db_password" {`, and in the block `default = …` */
const VARIABLE = /(?:^|\n)\s{0,8}variable\s{1,3}"([\w-]{3,64})"\s{0,3}\{[^{}]*$/;
const LONGEST_BLOCK = 300;
const LOOK_BACK = 200;

/** `name = value`, `name: value`, `"name": "value"`, `?name=value`, where the name is secret; `at` is the `=` or `:`. */
export function assignment(text: string, at: number, area: Area): Hit | null {
  if (at < area.valueTo || isOtherSign(text, at)) return null;
  const { from } = area;
  const isFallback = isDoubled(text, at);
  if (isFallback && !isQuoted(text, at + 1)) return null;
  const isCell = text.charCodeAt(at) === BAR && !isFallback;
  if (text.charCodeAt(at) === EQUALS && isDeclared(text, at, from)) return value(text, at, area, false);
  const assigned = nameBefore(text, at, from, isCell);
  if (assigned === null) return null;
  const { name, start } = assigned;
  if (isCell) return cellValue(text, at, name, area);
  if (name === "Private-Lines") return puttyKey(text, at + 1, area);
  if (isSecretName(name) || isPhrase(text, start, from, name) || isSplit(text, start, from, name))
    return secretValue(text, at, assigned, area);
  return valueOfOtherName(text, at, assigned, area);
}

/** `:=` is looked at by its second character; `Token::Prefix` assigns nothing. */
function isOtherSign(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== COLON) return false;
  const next = text.charCodeAt(at + 1);
  return next === EQUALS || next === COLON || text.charCodeAt(at - 1) === COLON;
}

/** The name before a sign, `text[start, end)`. */
interface AssignedName {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** where the sign begins, which may have several characters */
  readonly sign: number;
  /** a parameter of a URL, right behind its `?` or `&` */
  readonly isParameter: boolean;
}

/** The name before the sign at `at`; null: there is none, or none that may be secret. */
function nameBefore(text: string, at: number, from: number, isCell: boolean): AssignedName | null {
  const sign = signStart(text, at);
  const end = withoutBracket(text, isCell ? cellNameEnd(text, sign, from) : nameEnd(text, at, sign, from), sign);
  if (end === from || !mayEndName(text.charCodeAt(end - 1))) return null;
  const start = nameStart(text, end, from);
  const isParameter = end === at && PARAMETERS_BEGIN.has(text.charCodeAt(start - 1));
  if (!isParameter && !maySaySecret(text, start, end)) return null;
  return { name: text.slice(start, end), start, end, sign, isParameter };
}

/** Where the name before a sign ends: before blanks, marks, and the colon of `:=`. */
function nameEnd(text: string, at: number, sign: number, from: number): number {
  let end = sign;
  while (end > from && sign - end < MOST_BLANKS && isBetween(text, end - 1, at)) end--;
  return end;
}

function isBetween(text: string, at: number, equals: number): boolean {
  const unit = text.charCodeAt(at);
  return isSpace(unit) || isMark(unit) || isWalrus(text, at, equals);
}

/** Where the name in the cell of a table before the bar at `sign` ends. */
function cellNameEnd(text: string, sign: number, from: number): number {
  let end = sign;
  while (end > from && sign - end < MOST_PADDING && isSpace(text.charCodeAt(end - 1))) end--;
  return end;
}

function nameStart(text: string, end: number, from: number): number {
  const floor = Math.max(from, end - LONGEST_NAME);
  let start = end;
  while (start > floor && isNameUnit(text.charCodeAt(start - 1))) start--;
  // `-DkeyPassword=…` of a Java machine
  return text.startsWith("-D", start) && isWord(text.charCodeAt(start + 2)) ? start + 2 : start;
}

/** The value in the cell behind the one with its name. */
function cellValue(text: string, at: number, name: string, area: Area): Hit | null {
  const isSecret = isSecretName(name);
  if (!isSecret && !maySayMore(name)) return null;
  const hit = value(text, at, area, false, MOST_PADDING);
  return hit === null || isSecret || isKeyMember(name, text.slice(hit.start, hit.end)) ? hit : null;
}

/** The value of a secret name. */
function secretValue(text: string, at: number, assigned: AssignedName, area: Area): Hit | null {
  const { name, start, end } = assigned;
  if (PHRASES.test(name)) return wordList(text, at, area) ?? value(text, at, area, false);
  const code = SHORT_NUMBER.test(name) ? shortCode(text, at, area.to) : null;
  if (code !== null) return code;
  // in the query of a URL every value of a secret name counts, as it does where the URL stands alone
  const isInQuery = end === at && start > area.from && PARAMETER_MARKS.has(text.charCodeAt(start - 1));
  if (isInQuery) return queryValue(text, at, area);
  if (COOKIE.test(name) && cookies(text, at + 1, area, name.length > 6)) return null;
  return credential(text, at, assigned, area);
}

/** A value of one word, a password of an application in groups, or a short password. */
function credential(text: string, at: number, { name, sign }: AssignedName, area: Area): Hit | null {
  const hit =
    value(text, at, area, isSetting(text, at, name)) ??
    appPassword(text, at, area) ??
    shortPassword(text, at, name, area);
  if (hit === null || isPlainUnder(name, text.slice(hit.start, hit.end))) return null;
  return sign < at && isInBrackets(text, at, hit.end) ? null : hit;
}

/** A value in braces is one of a connection string. */
const queryValue = (text: string, at: number, area: Area): Hit | null =>
  parameter(text, at + 1, area) ?? (text[at + 1] === "{" ? value(text, at, area, true) : null);

/** Whether the bracket before the sign at `at` is one of code: the value ends as an argument or an element does. */
const isInBrackets = (text: string, at: number, end: number): boolean =>
  text[at - 1] === "]" && ")([,;".includes(text[end] ?? " ");

/** A secret number of three or four digits. */
function shortCode(text: string, at: number, to: number): Hit | null {
  const found = SHORT_CODE.exec(text.slice(at + 1, Math.min(to, at + 16)));
  if (found === null) return null;
  const [all, digits = ""] = found;
  const end = at + 1 + all.length;
  return { start: end - digits.length, end, type: "AUTH", rule: "auth.assignment" };
}

/** The value of a name that is secret only in this context (parameter, option, vendor's name), or only if the value looks like a key. */
function valueOfOtherName(text: string, at: number, assigned: AssignedName, area: Area): Hit | null {
  const { name, start, isParameter } = assigned;
  if (isParameter) {
    const hit = parameter(text, at + 1, area);
    if (hit !== null && isSecretParameter(name, text.slice(hit.start, hit.end))) return hit;
  }
  if (name === "pass" && isPassOption(text, start, area.from)) return value(text, at, area, true);
  // `sid=…` alone is a cookie's
  if (name !== "sid" && maySayMore(name)) {
    const hit = value(text, at, area, false);
    return hit !== null && isKeyMember(name, text.slice(hit.start, hit.end)) ? hit : null;
  }
  if (isVendorName(name)) return vendorToken(text, at + 1, area);
  return isNamedBefore(text, name, start, area.from) ? value(text, at, area, true) : null;
}

/** `-passin pass:…` of OpenSSL. */
const isPassOption = (text: string, start: number, from: number): boolean =>
  /-pass(?:in|out)?[ =]$/.test(text.slice(Math.max(from, start - 9), start));

/** Whether the text before the name `value`, `content` or `default` at `start` names a secret. */
function isNamedBefore(text: string, name: string, start: number, from: number): boolean {
  if (name === "default") {
    const variable = VARIABLE.exec(text.slice(Math.max(from, start - LONGEST_BLOCK), start))?.[1];
    return variable !== undefined && isSecretName(variable);
  }
  if (name.toLowerCase() !== "value" && name !== "content") return false;
  const before = text.slice(Math.max(from, start - LOOK_BACK), start);
  if (PASSWORD_FIELD.test(before)) return true;
  const outer = NAMED_VALUE.exec(before)?.[1] ?? (name === "value" ? NAME_ABOVE.exec(before)?.[1] : undefined);
  return outer !== undefined && isSecretName(outer);
}

/** `[start, end)` of the name before a quote and a comma at `at`; null: none that may be secret. */
function quotedName(text: string, at: number, area: Area): readonly [number, number] | null {
  let last = at - 1;
  // `'[name="password"]'`
  while (last > at - 4 && (text[last - 1] === "]" || isQuote(text.charCodeAt(last - 1)))) last--;
  if (!mayEndName(text.charCodeAt(last - 1)) || at < area.valueTo) return null;
  const floor = Math.max(area.from, last - LONGEST_NAME);
  let start = last;
  while (start > floor && (isNameUnit(text.charCodeAt(start - 1)) || text.charCodeAt(start - 1) === 46)) start--;
  return start === area.from || !maySaySecret(text, start, last) ? null : [start, last];
}

/** `define('DB_PASSWORD', '…')`, `set("api_key", "…")`: the comma behind the name's quote stands at `at`. */
export function quotedPair(text: string, at: number, area: Area): Hit | null {
  const quote = text.charCodeAt(at - 1);
  const next = text.charCodeAt(at + 1);
  if (!isQuote(next) && !(isSpace(next) && (isQuote(text.charCodeAt(at + 2)) || isSpace(text.charCodeAt(at + 2)))))
    return null;
  const span = quotedName(text, at, area);
  if (span === null) return null;
  const [start, last] = span;
  const isAlone = text.charCodeAt(start - 1) === quote;
  if (!isAlone && !SELECTOR.test(text.slice(Math.max(area.from, last - LONGEST_NAME), start))) return null;
  if (!isSecretName(text.slice(start, last))) return null;
  PADDED_QUOTE.lastIndex = at + 1;
  const padding = PADDED_QUOTE.exec(text)?.[0].length;
  const hit = padding === undefined ? null : value(text, at, area, false, padding);
  // the first of several words
  return hit === null || isBlank(text.charCodeAt(hit.end)) ? null : hit;
}

/** A quote, the sign that escapes one in a string of code, or the end of bold letters. */
const isMark = (unit: number): boolean => isQuote(unit) || unit === 92 || unit === 42;
const isBlank = (unit: number): boolean => unit === 32 || unit === 9;
const isNameUnit = (unit: number): boolean => isWord(unit) || unit === 95 || unit === 45 || isForeignLetter(unit);
const mayEndName = (unit: number): boolean => LAST_LETTERS.has(unit) || isForeignLetter(unit);
/** `mot de passe`: the name's last word, and the one before it in the text. */
function isPhrase(text: string, start: number, from: number, name: string): boolean {
  const last = name.toLowerCase();
  if (!FOREIGN_PHRASES.has(last)) return false;
  const before = /([^\s]{1,12})[ -]$/.exec(text.slice(Math.max(from, start - 14), start))?.[1]?.toLowerCase() ?? "";
  return isForeign(last, before);
}
/** `app.api.key`, `my api key`: the word before belongs to the name. */
function isSplit(text: string, start: number, from: number, name: string): boolean {
  if (start - 2 < from || !SPLIT_NAMES.test(name)) return false;
  const joint = text.charCodeAt(start - 1);
  if (joint !== 46 && joint !== 32) return false;
  const before = /[A-Za-z_-]{2,24}(?:[. ][A-Za-z]{2,12})?$/.exec(
    text.slice(Math.max(from, start - 40), start - 1),
  )?.[0];
  return before !== undefined && isSecretName(`${before}_${name}`);
}
/** Where the sign at `at` begins: `||=`, `??=`, `?=`, and the bracket of `user[password]=` in a form. */
function signStart(text: string, at: number): number {
  if (text.charCodeAt(at) !== 61) return isDoubled(text, at) ? at - 1 : at;
  const before = text[at - 1];
  if (before === "]") return at - 1;
  if (before !== "|" && before !== "?") return at;
  return at - (text[at - 2] === before ? 2 : 1);
}
/** `[password] => …`, `["password"]=> …`, as PHP prints an array: where the name in brackets ends. */
function withoutBracket(text: string, end: number, sign: number): number {
  if (text[end - 1] !== "]" || !text.startsWith("=>", sign)) return end;
  return isQuote(text.charCodeAt(end - 2)) ? end - 2 : end - 1;
}
/** `process.env.API_KEY || "…"`, `?? "…"`: what is taken where there is none. */
const isDoubled = (text: string, at: number): boolean =>
  (text[at] === "|" || text[at] === "?") && text[at - 1] === text[at];
function isQuoted(text: string, at: number): boolean {
  while (isBlank(text.charCodeAt(at))) at++;
  return isQuote(text.charCodeAt(at));
}
/** `apiKey: String = "…"`, `Password { get; set; } = "…"`, `ENV["API_TOKEN"] = "…"`: the name stands before its type. */
function isDeclared(text: string, at: number, from: number): boolean {
  let literal = at + 1;
  while (literal < at + 4 && isBlank(text.charCodeAt(literal))) literal++;
  if (!isQuote(text.charCodeAt(literal))) return false;
  let end = at;
  while (end > from && text.charCodeAt(end - 1) === 32 && at - end < 3) end--;
  const last = text.charCodeAt(end - 1);
  if (last !== 93 && last !== 125 && !isBehindType(text, end, from)) return false;
  const name = DECLARED.exec(text.slice(Math.max(from, at - LOOK_BACK), at))
    ?.slice(1)
    .find((group) => group !== undefined);
  return name !== undefined && isSecretName(name);
}
/** Whether a type ends at `end` behind a colon, or behind a variable of Go. */
function isBehindType(text: string, end: number, from: number): boolean {
  let type = end;
  while (type > from && end - type < 32 && isTypeUnit(text.charCodeAt(type - 1))) type--;
  while (type > from && end - type < 34 && text.charCodeAt(type - 1) === 32) type--;
  if (type === end) return false;
  const before = text.slice(Math.max(from, type - 70), type);
  return before.endsWith(":") || LIFETIME.test(before) || GO.test(before);
}

/** `: &'static` of Rust, before the type. */
const LIFETIME = /:[ \t]{0,3}&'[a-z]{1,16}$/;
/** `var password` of Go, whose type stands behind it. */
const GO = /\b(?:var|const)[ \t]\w{2,64}$/;
const isTypeUnit = (unit: number): boolean =>
  isWord(unit) || unit === 95 || unit === 46 || unit === 60 || (unit >= 62 && unit <= 63) || unit === 38 || unit === 42;
const isWalrus = (text: string, at: number, equals: number): boolean =>
  text.charCodeAt(at) === COLON && text.charCodeAt(equals) === EQUALS && at + 1 === equals;
/** `DB_PASSWORD=…` and `password = "…"` set a value; `password: …` may be prose. */
const isSetting = (text: string, at: number, name: string): boolean =>
  text.charCodeAt(at) === 61 && (name === name.toUpperCase() || /^\s{0,3}["'`]/.test(text.slice(at + 1, at + 5)));
