import type { Hit } from "../../scan/hit.ts";
import { fieldContext } from "../../names/field-context.ts";
import { isDigit, isForeignLetter, isWord } from "../character.ts";
import { CUE } from "../cue.ts";
import { createWordTable } from "../word-table.ts";

const [SHORTEST, LONGEST] = [4, 8];
const LOOK_BACK = 56;
/** `is`, `ist`, `es`, `est` */
const [I, E] = [105, 101];
/** The word before a code: its name ends so, or it says that the code follows. */
const LAST_WORDS: ReadonlySet<string> = new Set(
  (
    "pin otp passcode mtan code password bestätigungscode sicherheitscode vérification sécurité confirmation verificación " +
    "seguridad verificação segurança verifica sicurezza verificatiecode number no nr is was ist lautet es est è now to g " +
    "sent texted got received tan itan smstan pushtan chiptan phototan"
  ).split(" "),
);
const lastWords = createWordTable(LAST_WORDS);
/** Each announcement in ASCII holds one of these. */
const names = createWordTable(
  "pin otp passcode tan mtan itan smstan pushtan chiptan phototan code password sicherheitscode codice verificatiecode".split(
    " ",
  ),
);
const LONGEST_WORD = 18;
const OF =
  "verification|confirmation|security|log[- ]?in|sign[- ]?in|access|auth|authentication|authenticator|authorization|one[- ]time|2fa|mfa|two[- ]factor|sms|unlock|reset|activation|backup|recovery|card|atm|sim|door|alarm|your|my|ihr|dein|mein|uw|votre|the pass";
const ANNOUNCED = new RegExp(
  `(?:(?:^|[^A-Za-z0-9_])(?:pin(?:[ _-](?:code|number))?|otp|passcode|mtan|(?:${OF})[ _-](?:pass[- ]?)?code|one[- ]time (?:password|pin)|bestätigungscode|sicherheitscode|code de (?:vérification|sécurité|confirmation)|código de (?:verificación|seguridad|verificação|segurança)|codice di (?:verifica|sicurezza)|verificatiecode)|验证码|認証コード|인증번호)` +
    `["'*]{0,2}(?:[ ]{1,2}(?:number|no\\.?|nr\\.?|is|was|ist|lautet|es|est|è|now|set to|changed to|是|:))*["'*]{0,2}[ ]{0,2}[:=#-]?[ ]{0,2}["'*]{0,2}(?:[A-Z]-)?(?:是|为|:)?$`,
  "i",
);
/** `the TAN you sent me is`, `code u sent:` */
const SENT =
  /(?:^|[^A-Za-z0-9_])(?:code|pin|otp|tan|passcode)(?: (?!not )[a-z']{1,8}){1,3}? (?:sent|texted|got|received)(?: (?:me|us))?(?: by (?:text|sms|mail|e-?mail))?(?: (?:is|was))?:? ?$/i;
/** In capitals: small letters are a colour, or what a calculator knows. */
const TAN = /(?:^|[^A-Za-z0-9_])(?:i|sms|push|chip|photo)?TAN(?: (?:is|ist|lautet|war|was))?:? ?$/;
const SAYS_AFTER =
  / (?:is|ist|es|est) (?:your|my|the|dein|ihr|tu|votre) (?:[\w'-]{1,16} ){0,3}(?:code|pin|otp|passcode|\w+code)(?!\w)/iy;
/** What is counted, or a part of something longer. */
const GOES_ON =
  /(?:[-./:,]?\d|[A-Za-z_%°$€£]|[ ](?:lines|items|times|rows|files|bytes|digits|characters|chars|ms|px|is not|Zeilen|Zeichen|Stellen|lignes)\b)/y;

/** Four to eight digits that are announced as a PIN or a code for one use, at `at`; null for all others, found out cheaply. */
export function oneTimeCode(text: string, at: number, from: number, to: number): Hit | null {
  if (!isDigit(text.charCodeAt(at + SHORTEST - 1))) return null;
  let end = at + 1;
  while (end < to && end - at <= LONGEST && isDigit(text.charCodeAt(end))) end++;
  if (end - at < SHORTEST || end - at > LONGEST) return null;
  const isGroup = at - 2 >= from && isDigit(text.charCodeAt(at - 2));
  const isAnnounced =
    (!isGroup && isAnnouncedBefore(text, at, from)) ||
    isAnnouncedAfter(text, at, end, from) ||
    isSetBefore(text, at, from);
  if (!isAnnounced) return null;
  GOES_ON.lastIndex = end;
  if (end < to && GOES_ON.test(text)) return null;
  return { start: at, end, type: "AUTH", rule: "auth.code" };
}

function isAnnouncedBefore(text: string, at: number, from: number): boolean {
  let last = at - 1;
  const floor = Math.max(from, at - 6);
  while (last >= floor && !isLetter(text.charCodeAt(last))) last--;
  if (last < floor) return false;
  let start = last;
  const least = Math.max(from, last - LONGEST_WORD);
  while (start > least && isLetter(text.charCodeAt(start - 1))) start--;
  if (!lastWords.mayHold(text, start, last + 1)) return false;
  // scripts without spaces between words
  if (text.charCodeAt(last) < 0x3000 && !LAST_WORDS.has(text.slice(start, last + 1).toLowerCase())) return false;
  const begin = Math.max(from, at - LOOK_BACK);
  if (!names.mayHold(text, begin, at)) return false;
  const before = text.slice(begin, at);
  return ANNOUNCED.test(before) || TAN.test(before) || (at + 5 <= text.length && SENT.test(before));
}

const NAMED = /(?:([\w-]{3,40})["'`]?[ \t]{0,3}(?:=|:|\|)[ \t]{0,24}|<([A-Za-z][\w-]{2,40})>)["'`]?$/;
const LONGEST_SETTING = 70;
/** Whether a name in code before the sign means such a code: `card_pin=…`, `"pinCode": "…"`, `<pin>…`. */
function isSetBefore(text: string, at: number, from: number): boolean {
  let sign = at - 1;
  while (sign >= from && at - sign < 24 && isPadding(text.charCodeAt(sign))) sign--;
  if (sign < from || !SIGNS.has(text.charCodeAt(sign))) return false;
  const found = NAMED.exec(text.slice(Math.max(from, at - LONGEST_SETTING), at));
  const name = found?.[1] ?? found?.[2];
  return name !== undefined && /[A-Za-z]/.test(name) && (fieldContext(name).cue.kinds & CUE.code) !== 0;
}

/** Space, tab, quotes. */
const isPadding = (unit: number): boolean => unit === 32 || unit === 9 || unit === 34 || unit === 39 || unit === 96;
const SIGNS = new Set([..."=:|>"].map((c) => c.charCodeAt(0)));

const isLetter = (unit: number): boolean =>
  unit < 128 ? (unit | 32) >= 97 && (unit | 32) <= 122 : isForeignLetter(unit);

function isAnnouncedAfter(text: string, at: number, end: number, from: number): boolean {
  const next = text.charCodeAt(end + 1) | 32;
  if (text.charCodeAt(end) !== 32 || (next !== I && next !== E) || (at > from && isWord(text.charCodeAt(at - 1))))
    return false;
  SAYS_AFTER.lastIndex = end;
  return SAYS_AFTER.test(text);
}
