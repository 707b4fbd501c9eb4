import type { Hit } from "../../scan/hit.ts";
import type { Area } from "../area.ts";
import { isWord } from "../character.ts";
import { isCredential, kindsOf } from "./credential.ts";
import { labelAbove } from "./label-above.ts";
import { isSecretInCode } from "./spoken-key.ts";

/** The word, and what may stand before the value where no sign sets it: a space, a word like `is`. */
const SPOKEN =
  /(?:pass(?:word|wort|wd)|kennwort|pwd|pw)["'`]?(?:[ \t]\([^()\n]{1,32}\):?|[ \t](?:for|of|to|on|you|we|I)(?:[ \t][\w'.@-]{1,24}){1,6}?(?=:|[ \t](?:is|was)[ \t:]):?)?[ \t]{1,3}(?:(?:is|was|ist|lautet|has been|es|est|è|reset to|set to|changed to|now|to|[-–—]{1,2}>?)[ \t:]{1,3}){0,3}["'`]?/iy;
const IS = /^[A-Za-z]{1,4}["'`]?[ \t]{1,3}(?:is|was|ist|lautet|est|es|now|set to|changed to)[ \t:]/i;
const VALUE = /[^\s"'`<>{}()[\],;|\\]{8,64}/y;
/** `password SHA256…`, a path, an address, an option are no passwords */
const NO_PASSWORD =
  /^(?:--?[a-z]|https?:|[./~]|(?:SHA|MD|AES|RSA|HMAC|PBKDF|UTF|HTTP)[-_0-9]|[A-Z]{3,}_|[\w.-]+@[\w-]+\.[a-z]{2})|=|[/\\].*[/\\]|^[A-Za-z]+:[A-Za-z]+$/;
/** `machine example.com login ada password …`, as `.netrc` has it. */
const LOGIN = /(?:^|\s)login[ \t\r\n]{1,8}[^\s]{1,64}[ \t\r\n]{1,8}$/;
const LONGEST_LOGIN = 88;
const isOfLogin = (text: string, start: number, { from }: Area): boolean =>
  LOGIN.test(text.slice(Math.max(from, start - LONGEST_LOGIN), start));
const SHORTEST = 8;
const [W, D, P] = [119, 100, 112];

/** `is hunter2`: six or seven small letters and digits, which a sentence ends with. */
const SHORT =
  /(?<=(?:is|was|ist|lautet|to|es|est)[ \t:]{1,3}["'`]?)(?!(?:sha|md|utf|base|step|rule|part|line|v)\d)(?=[a-zA-Z]*\d)(?=\d*[a-zA-Z])[\w!@#$%^*]{6,7}(?=["'`]?[.,!]?(?:[\s]|$))/iy;

/** `is sunshine42`: a word with a number behind it, as people choose them, and no algorithm. */
const WEAK =
  /^(?!(?:sha|md|utf|base|argon|scrypt|bcrypt|pbkdf|blake|aes|rsa|ed|step|rule|part|line|version)\d?)[a-z]{4,24}\d{1,6}$/i;
const SET = /(?:is|was|ist|lautet|to|es|est)[ \t:]{1,3}["'`]?$/i;
const isWeak = (text: string, begin: number, found: string): boolean =>
  WEAK.test(found) && SET.test(text.slice(Math.max(0, begin - 12), begin));

function shortOne(text: string, begin: number, area: Area): Hit | null {
  SHORT.lastIndex = begin;
  if (!SHORT.test(text) || SHORT.lastIndex > area.to || /^\d+[a-z]{1,3}$/i.test(text.slice(begin, SHORT.lastIndex)))
    return null;
  return { start: begin, end: SHORT.lastIndex, type: "AUTH", rule: "auth.assignment" };
}

/** `--password Xy7…`, `the password is Xy7…`; the `w` of the word stands at `at` (`pw` is one, too), or the `d` of `pwd`. Three kinds of characters, or an option. */
export function spokenPassword(text: string, at: number, area: Area): Hit | null {
  const word = wordAt(text, at);
  if (word === null || word.start < area.from || !mayBegin(text, word, at, area)) return null;
  const { start } = word;
  SPOKEN.lastIndex = start;
  if (!SPOKEN.test(text)) return labelAbove(text, word.end, area);
  const begin = SPOKEN.lastIndex;
  VALUE.lastIndex = begin;
  if (!VALUE.test(text) || VALUE.lastIndex > area.to) return shortOne(text, begin, area);
  const whole = text.slice(begin, VALUE.lastIndex);
  const isOption = start - 2 >= area.from && isOptionOrLogin(text, start, area);
  const found = isOption ? whole : whole.replace(/[.!?:]+$/, "");
  if (found.length < SHORTEST) return shortOne(text, begin, area);
  const looksLikeOne = isOption || kindsOf(whole) >= 3 || isLong(found) || isWeak(text, begin, found);
  return looksLikeOne && isPassword(found)
    ? { start: begin, end: begin + found.length, type: "AUTH", rule: "auth.assignment" }
    : null;
}

const isPassword = (found: string): boolean => !NO_PASSWORD.test(found) && isCredential(found, true);

/** Whether the word at `start` is an option, or stands in a line of `.netrc`: then any value is a password. */
const isOptionOrLogin = (text: string, start: number, area: Area): boolean =>
  /[-\s]-$/.test(text.slice(start - 2, start)) || isOfLogin(text, start, area);

const isLong = (found: string): boolean => found.length >= 14 && isCredential(found, false);

interface Word {
  readonly start: number;
  readonly end: number;
  /** it is `pw` */
  readonly isShort: boolean;
}

/** The word of which a letter stands at `at`: the `w` of password, or the last letter of `pwd` or `pw`. Null: another one. */
function wordAt(text: string, at: number): Word | null {
  const unit = text.charCodeAt(at) | 32;
  if (unit === D) return { start: at - 2, end: at + 1, isShort: false };
  if (unit !== W) return null;
  if ((text.charCodeAt(at - 1) | 32) !== P) return { start: at - 4, end: at + 4, isShort: false };
  return (text.charCodeAt(at + 1) | 32) === D ? null : { start: at - 1, end: at + 1, isShort: true };
}

/** A word of its own, or the end of a name in code with a verb behind it: `adminPassword is …`, `PGPASSWORD is …`. */
function mayBegin(text: string, { start, isShort }: Word, at: number, area: Area): boolean {
  if (start === area.from || !isWord(text.charCodeAt(start - 1))) return true;
  if (isShort || !IS.test(text.slice(at, at + 24))) return false;
  return isSecretInCode(text, start, text.slice(start, start + 8).replace(/[^A-Za-z].*$/, ""), area);
}
