import type { Hit } from "../../scan/hit.ts";
import { FOREIGN_PHRASES } from "../../names/foreign-passwords.ts";
import { COOKIE } from "../../scrub/keyed.ts";
import { isPlainUnder } from "../../names/plain-under-secret.ts";
import { isForeign, isSecretName, isSecretParameter, isVendorName, maySaySecret } from "../../names/secret-name.ts";
import { SHORT_NUMBER } from "../../names/secret-words.ts";
import { isKeyMember, maySayMore } from "../../names/weak-name.ts";
import type { Area } from "../area.ts";
import { isForeignLetter, isSpace, isWord } from "../character.ts";
import { cookies } from "./cookie.ts";
import { isExpression } from "./code-value.ts";
import { isCredential } from "./credential.ts";
import { puttyKey } from "./pem.ts";
import { entropyOf } from "./placeholder.ts";
import { shortPassword } from "./short-password.ts";

const LONGEST_NAME = 64;
const LONGEST_VALUE = 512;
/** Cells of a table are padded. */
const MOST_PADDING = 40;
const PARAMETERS_BEGIN = new Set([..."?&"].map((c) => c.charCodeAt(0)));
const SPLIT_NAMES = /^(?:key|base|pass|code|phrase|value|signature)$/i;
const PHRASES = /(?:phrase|mnemonic)$/i;
const WORD_LIST = /["'`\s]{0,3}((?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8})/y;
const SHORT_CODE = /^["'`\s]{0,3}(\d{3,4})(?!\w)/;
/** The salts of WordPress: all that a keyboard has. */
const SALT = /^(?=(?:[^]*[^A-Za-z0-9\s.,'"!?:;()-]){3})(?=[^]*[0-9])(?=[^]*[a-z])(?=[^]*[A-Z])[^\n]{40,}$/;
const LONGEST_SALT = 128;
/** What stands in passwords between quotes, and not in names. */
const SIGNS = /^[^/&]*[!@$%^*~][^/&]*$/;
const NEXT_PAIR = /&(?:amp;)?(?:[\w.%-]{1,40}=|$|\s|&)/y;
const DECLARED =
  /(?:\[["']?([\w.-]{2,64})["']?\]|([A-Za-z_]\w{1,63})(?:\[\d{0,4}\])|\b(?:var|const)[ \t]([A-Za-z_]\w{1,63})[ \t]{1,3}\*?[A-Za-z][\w.]{0,30}|([A-Za-z_]\w{1,63})\??[ \t]{0,3}:[ \t]{0,3}[&*]?(?:'[a-z]{1,16} )?[A-Za-z_][\w.<>?]{0,30}|([A-Za-z_]\w{1,63})\s{0,3}\{\s{0,2}(?:get|set|private)[^}\n]{0,40}\})[ \t]{0,3}$/;
/** What may stand between the sign and the value: marks of a string in code, of bold letters; anchors, tags and blocks of YAML. */
const PREFIX =
  /(?:@(?=")|\[\[|\[(?=(?![^\]]{0,64}(?:A-Z|a-z|0-9|a-f))[\w.~+/=-]{8,512}\])|q[qw]?\{|(?:&[\w-]{1,40}|!!(?:str|binary)|!unsafe)[ \t]{1,3}(?![=&|])|[bBrRuUfFLN]{1,2}(?=["'])|(?:Some|String::from|SecretStr|SecureString)\((?=["'])|(?:\*{1,2}|__|<\/\w{1,10}>)[ \t]{1,3}|[|>][-+]?\r?\n[ \t]{1,16}|<<[-~]?["']?\w{2,12}["']?\r?\n[ \t]{0,16}|\{(?=[^{}\s]{4,64}\};)|\r?\n[ \t]{1,16}string\(\d{1,4}\)[ \t](?="))/y;
/** `'#`, `"input[name='`: what stands in a selector before the name of a field. */
const SELECTOR = /["'`](?:[\w .>:-]{0,40})(?:#|\[[\w-]{2,12}[~^$*]?=["']?)$/;
const PADDED_QUOTE = /[ \t]{0,40}["']/y;
const SCHEME =
  /(?:Bearer|Basic|Token|ApiKey|Api-Token|Digest|Negotiate|OAuth|Hawk|JWT|SSWS|(?:AWS4|GOOG4)-[A-Z0-9-]{1,24})[ \t]{1,4}/iy;
/** Space, tab, no-break space. */
const BLANKS = new Set([32, 9, 160]);
const VALUE_STOPS = new Set([...`"'\`<>(){}[],;&|\\`].map((c) => c.charCodeAt(0)));
const PARAMETER_MARKS = new Set([..."?&#;"].map((c) => c.charCodeAt(0)));
const PARAMETER_STOPS = new Set([...`"'\`<>&#;`].map((c) => c.charCodeAt(0)));
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
  if (at < area.valueTo || (text.charCodeAt(at) === 58 && text.charCodeAt(at + 1) === 61)) return null;
  // `Token::Prefix`
  if (text.charCodeAt(at) === 58 && (text.charCodeAt(at + 1) === 58 || text.charCodeAt(at - 1) === 58)) return null;
  const { from } = area;
  const isFallback = isDoubled(text, at);
  if (isFallback && !isQuoted(text, at + 1)) return null;
  const isCell = text.charCodeAt(at) === 124 && !isFallback;
  if (text.charCodeAt(at) === 61 && isDeclared(text, at, from)) return value(text, at, area, false);
  const padding = isCell ? MOST_PADDING : 3;
  const isBeside = isCell ? () => false : isMark;
  const sign = signStart(text, at);
  let nameEnd = sign;
  while (
    nameEnd > from &&
    sign - nameEnd < padding &&
    (isSpace(text.charCodeAt(nameEnd - 1)) || isBeside(text.charCodeAt(nameEnd - 1)) || isWalrus(text, nameEnd - 1, at))
  )
    nameEnd--;
  nameEnd = withoutBracket(text, nameEnd, sign);
  if (nameEnd === from || !mayEndName(text.charCodeAt(nameEnd - 1))) return null;
  const floor = Math.max(from, nameEnd - LONGEST_NAME);
  let nameStart = nameEnd;
  while (nameStart > floor && isNameUnit(text.charCodeAt(nameStart - 1))) nameStart--;
  // `-DkeyPassword=…` of a Java machine
  if (text.startsWith("-D", nameStart) && isWord(text.charCodeAt(nameStart + 2))) nameStart += 2;
  const begins = nameEnd === at && PARAMETERS_BEGIN.has(text.charCodeAt(nameStart - 1));
  if (!begins && !maySaySecret(text, nameStart, nameEnd)) return null;
  const name = text.slice(nameStart, nameEnd);
  if (isCell && (isSecretName(name) || maySayMore(name))) {
    const hit = value(text, at, area, false, MOST_PADDING);
    return hit === null || isSecretName(name) || isKeyMember(name, text.slice(hit.start, hit.end)) ? hit : null;
  }
  if (isCell) return null;
  if (name === "Private-Lines") return puttyKey(text, at + 1, area);
  if (!isSecretName(name) && !isPhrase(text, nameStart, from, name) && !isSplit(text, nameStart, from, name)) {
    if (begins) {
      const hit = parameter(text, at + 1, area);
      if (hit !== null && isSecretParameter(name, text.slice(hit.start, hit.end))) return hit;
    }
    if (name === "pass" && /-pass(?:in|out)?[ =]$/.test(text.slice(Math.max(from, nameStart - 9), nameStart)))
      return value(text, at, area, true);
    // `sid=…` alone is a cookie's
    if (name !== "sid" && maySayMore(name)) {
      const hit = value(text, at, area, false);
      return hit !== null && isKeyMember(name, text.slice(hit.start, hit.end)) ? hit : null;
    }
    if (isVendorName(name)) return token(text, at + 1, area);
    if (name === "default") {
      const variable = VARIABLE.exec(text.slice(Math.max(from, nameStart - LONGEST_BLOCK), nameStart))?.[1];
      return variable !== undefined && isSecretName(variable) ? value(text, at, area, true) : null;
    }
    if (name.toLowerCase() !== "value" && name !== "content") return null;
    const before = text.slice(Math.max(from, nameStart - LOOK_BACK), nameStart);
    if (PASSWORD_FIELD.test(before)) return value(text, at, area, true);
    const outer = NAMED_VALUE.exec(before)?.[1] ?? (name === "value" ? NAME_ABOVE.exec(before)?.[1] : undefined);
    return outer !== undefined && isSecretName(outer) ? value(text, at, area, true) : null;
  }
  if (PHRASES.test(name)) return wordList(text, at, area) ?? value(text, at, area, false);
  if (SHORT_NUMBER.test(name)) {
    const digits = SHORT_CODE.exec(text.slice(at + 1, Math.min(area.to, at + 16)));
    if (digits !== null) {
      const start = at + 1 + digits[0].length - (digits[1] as string).length;
      return { start, end: at + 1 + digits[0].length, type: "AUTH", rule: "auth.assignment" };
    }
  }
  // in the query of a URL every value of a secret name counts, as it does where the URL stands alone
  const isParameter = nameEnd === at && nameStart > from && PARAMETER_MARKS.has(text.charCodeAt(nameStart - 1));
  // a value in braces is one of a connection string
  if (isParameter) return parameter(text, at + 1, area) ?? (text[at + 1] === "{" ? value(text, at, area, true) : null);
  if (COOKIE.test(name) && cookies(text, at + 1, area, name.length > 6)) return null;
  const hit =
    value(text, at, area, isSetting(text, at, name)) ??
    appPassword(text, at, area) ??
    shortPassword(text, at, name, area);
  if (hit === null || isPlainUnder(name, text.slice(hit.start, hit.end))) return null;
  // a call, a list: the bracket is one of code
  return sign < at && text[at - 1] === "]" && ")([,;".includes(text[hit.end] ?? " ") ? null : hit;
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
const DOUBLE_QUOTE = 34;
const isBlank = (unit: number): boolean => unit === 32 || unit === 9;
const isQuote = (unit: number): boolean => unit === 34 || unit === 39 || unit === 96;
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
/** An ampersand that begins the next pair of a form; others may stand in a password. */
function isNextPair(text: string, at: number): boolean {
  NEXT_PAIR.lastIndex = at;
  return NEXT_PAIR.test(text);
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
/** Twelve words or more, as wallets write their seeds. */
function wordList(text: string, at: number, area: Area): Hit | null {
  WORD_LIST.lastIndex = at + 1;
  const words = WORD_LIST.exec(text)?.[1];
  if (words === undefined || WORD_LIST.lastIndex > area.to) return null;
  area.valueTo = WORD_LIST.lastIndex;
  return { start: area.valueTo - words.length, end: area.valueTo, type: "AUTH", rule: "auth.assignment" };
}
const isWalrus = (text: string, at: number, equals: number): boolean =>
  text.charCodeAt(at) === 58 && text.charCodeAt(equals) === 61 && at + 1 === equals;
/** `DB_PASSWORD=…` and `password = "…"` set a value; `password: …` may be prose. */
const isSetting = (text: string, at: number, name: string): boolean =>
  text.charCodeAt(at) === 61 && (name === name.toUpperCase() || /^\s{0,3}["'`]/.test(text.slice(at + 1, at + 5)));

/** As Google and WordPress give them out: four or six groups of four. */
const APP_PASSWORD = /[ \t]{0,3}["']?((?:[a-z]{4} ){3}[a-z]{4}|(?:[A-Za-z0-9]{4} ){5}[A-Za-z0-9]{4})(?![\w ])/y;
function appPassword(text: string, at: number, { to }: Area): Hit | null {
  APP_PASSWORD.lastIndex = at + 1;
  const found = APP_PASSWORD.exec(text)?.[1];
  const end = APP_PASSWORD.lastIndex;
  return found === undefined || end > to
    ? null
    : { start: end - found.length, end, type: "AUTH", rule: "auth.assignment" };
}

const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [40, 41, 91, 93];

function parameter(text: string, start: number, area: Area): Hit | null {
  const limit = Math.min(area.to, start + LONGEST_VALUE);
  let end = start;
  let opened = 0;
  for (; end < limit && !PARAMETER_STOPS.has(text.charCodeAt(end)) && !isSpace(text.charCodeAt(end)); end++) {
    const unit = text.charCodeAt(end);
    if (unit === OPEN || unit === OPEN_LIST) opened++;
    // the bracket around the URL, of Markdown or prose
    else if ((unit === CLOSE || unit === CLOSE_LIST) && --opened < 0) break;
  }
  area.valueTo = end;
  const found = text.slice(start, end);
  return found === "" || /^(?:[$<{[*.]|%(?![0-9A-Fa-f]{2}))/.test(found)
    ? null
    : { start, end, type: "AUTH", rule: "auth.name" };
}

/** A random text behind the name of a service, as its documentation writes it. */
function token(text: string, after: number, area: Area): Hit | null {
  const hit = value(text, after - 1, area, false);
  if (hit === null) return null;
  const found = text.slice(hit.start, hit.end);
  return /^[A-Za-z0-9_-]{32,90}$/.test(found) && /[A-Za-z]/.test(found) && entropyOf(found) > 3.4 ? hit : null;
}

/** The credential behind the sign at `at`, with or without quotes; a quoted one may hold spaces if it holds all else. */
export function value(text: string, at: number, area: Area, isSet: boolean, padding = 4): Hit | null {
  const { to } = area;
  let start = at + 1;
  // `=>` before a literal
  if (text.charCodeAt(start) === 62 && text.charCodeAt(at) === 61) start++;
  const after = start;
  while (start < to && start - after < padding && BLANKS.has(text.charCodeAt(start))) start++;
  PREFIX.lastIndex = start;
  if (PREFIX.test(text) && PREFIX.lastIndex < to) start = PREFIX.lastIndex;
  // a quote may be escaped in a string of code
  if (text.charCodeAt(start) === 92) start++;
  const quote = isQuote(text.charCodeAt(start)) ? text.charCodeAt(start++) : 0;
  // doubled in the cell of a table
  if (quote === DOUBLE_QUOTE && text.charCodeAt(start) === quote && text.charCodeAt(start - 2) !== quote)
    if (!isSpace(text.charCodeAt(start + 1)) && !VALUE_STOPS.has(text.charCodeAt(start + 1))) start++;
  SCHEME.lastIndex = start;
  const scheme = SCHEME.test(text) && SCHEME.lastIndex < to;
  if (scheme) start = SCHEME.lastIndex;
  const limit = Math.min(to, start + LONGEST_VALUE);
  let end = start;
  for (; end < limit; end++) {
    const unit = text.charCodeAt(end);
    if (
      quote === 0
        ? (VALUE_STOPS.has(unit) && (unit !== 38 || isNextPair(text, end))) || isSpace(unit)
        : unit === quote || unit === 92 || isSpace(unit) || unit === 60
    )
      break;
  }
  area.valueTo = end;
  // what is cut off by points is a sample
  if (text.startsWith("..", end - 2) || text.startsWith("..", end)) return null;
  const ends = isSet ? ".?:" : ".!?:";
  if (quote === 0) while (end > start && ends.includes(text.charAt(end - 1))) end--;
  let found = text.slice(start, end);
  if (quote !== 0 && isSpace(text.charCodeAt(end))) {
    const close = text.indexOf(String.fromCharCode(quote), end);
    const whole = close === -1 || close - start > LONGEST_SALT ? "" : text.slice(start, close);
    if (SALT.test(whole)) [found, end] = [whole, close];
    area.valueTo = end;
  }
  if (quote === 0 && !scheme && isExpression(text, at, start, end)) return null;
  return isCredential(found, isSet || scheme || (quote !== 0 && SIGNS.test(found))) ||
    (SALT.test(found) && !found.includes("#{"))
    ? { start, end, type: "AUTH", rule: "auth.assignment" }
    : null;
}
