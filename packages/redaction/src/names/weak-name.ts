import { isCredential, kindsOf } from "../detect/secrets/credential.ts";
import { nameWords } from "./name-words.ts";
import { remembered } from "../cache/remembered.ts";
import { PASSWORD_ENDS } from "./secret-words.ts";

const SESSION = /^(?:session[_-]?id|sid)$/i;
/** Cookies of web frameworks that hold a session, kept elsewhere too. */
const SESSION_COOKIE =
  /^(?:jsessionid|phpsessid|aspsessionid\w{0,16}|connect\.sid|asp\.net_sessionid|laravel_session|_csrf)$/i;
/** Ids that providers of models make; a session may be named after one. */
const PROVIDER_ID =
  /^(?:chatcmpl|cmpl|call|toolu|srvtoolu|msg|req|resp|run|thread|asst|file|conv|sess|item|step|batch|gen|fc|rs)[-_][A-Za-z0-9]+$/;
/** What Twilio calls the `sid` of a message, a call, an account. */
const RESOURCE_ID = /^[A-Z]{2}[0-9a-f]{32}$/;
/** Last words of names that have other meanings too: `pass` also counts tests, `clave` is also the key of a table. */
const WORDS = new Set(
  "pass clave llave parola mdp jeton nip geheim geheimnis zugangsdaten segreto segredo secreto sekret tajne csrf xsrf cred pin".split(
    " ",
  ),
);
/** The same, of two words. */
const PAIRS = new Set(["activation code", "x signature", "stripe signature", "hub signature", "slack signature"]);
const ENDINGS = "signature code sessionid session sid csrf".split(" ");
/** What such names end with. */
export const WEAK_ENDINGS: readonly string[] = [...WORDS, ...ENDINGS];

const LONGEST_NAME = 40;
const [NONE, WORD, ID, COOKIE] = [0, 1, 2, 3];
const judged = remembered(judge);
/** The last two letters of such names, before anything else is asked. */
const LAST = new Set([...WEAK_ENDINGS, ...PASSWORD_ENDS].map((word) => word.slice(-2)));

/** Whether the name alone does not tell if its value is a secret; `isKeyMember` then judges the value. */
export function maySayMore(name: string): boolean {
  return weakness(name) !== NONE;
}

/**
 * Whether a value is a secret under a name that does not tell: `pass` also counts tests, and the id of a session may be
 * a plain one.
 */
export function isKeyMember(name: string, value: string): boolean {
  switch (weakness(name)) {
    case WORD:
      return /^[^\s{}[\]]{8,512}$/.test(value) && isCredential(value, true) && (kindsOf(value) > 2 || isDrawn(value));
    case ID:
      return !PROVIDER_ID.test(value) && !RESOURCE_ID.test(value) && isRandomId(value);
    case COOKIE:
      return /^[\w.%+/=:-]{20,512}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
    default:
      return false;
  }
}

const isRandomId = (value: string): boolean => /^(?=[^]*\d)(?=[^]*[a-z])(?=[^]*[A-Z])[\w.%+/=:-]{24,512}$/.test(value);
/** A long run of letters and digits, and no words. */
const isDrawn = (value: string): boolean => /^(?=(?:[^]*\d){3})(?=(?:[^]*[A-Za-z]){3})[A-Za-z0-9]{20,512}$/.test(value);

function weakness(name: string): number {
  if (name.length < 3 || name.length > LONGEST_NAME) return NONE;
  if (!LAST.has(name.slice(-2).toLowerCase()) && !/[Ss]ession/.test(name)) return NONE;
  return judged(name);
}

function judge(name: string): number {
  if (SESSION.test(name)) return ID;
  if (SESSION_COOKIE.test(name)) return COOKIE;
  const words = nameWords(name);
  const last = words.findLast((word) => !PASSWORD_ENDS.has(word)) ?? "";
  if (WORDS.has(last)) return WORD;
  const first = words[0] ?? "";
  return PAIRS.has(words.slice(-2).join(" ")) || (words.length > 1 && PAIRS.has(`${first} ${last}`)) ? WORD : NONE;
}
