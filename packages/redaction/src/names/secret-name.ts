import {
  FOREIGN_ENDING,
  FOREIGN_KEYS,
  FOREIGN_PASSWORDS,
  FOREIGN_PHRASES,
  FOREIGN_QUALIFIERS,
} from "./foreign-passwords.ts";
import { nameWords } from "./name-words.ts";
import { remembered } from "../cache/remembered.ts";
import {
  COMPOUND,
  ENDS,
  KEY_QUALIFIERS,
  PASS_OWNERS,
  PASSWORD_ENDS,
  PASSWORD_WORD,
  PLAIN_TOKENS,
  SECRET_WORDS,
} from "./secret-words.ts";
import { KEY_VENDORS, VENDOR_NAMES } from "./vendor-names.ts";
import { WEAK_ENDINGS } from "./weak-name.ts";

const LONGEST_NAME = 64;
const judged = remembered(judge);

/**
 * Whether a name (JSON key, header, query parameter, environment variable) stands for a secret. Compared word by
 * word: `token`, `x-api-key`, `clientSecret` do; `max_tokens`, `tokenizer`, `author`, `token_count` do not.
 */
export function isSecretName(name: string): boolean {
  if (name.length < 2 || !mayEnd(name, 0, name.length, SECRET)) return false;
  // the last words decide: of a long name only its end is looked at
  if (name.length > LONGEST_NAME) return judge(name.slice(-LONGEST_NAME));
  return judged(name);
}

/** Whether a word, behind another one, says password in another language than English. Lower case. */
export function isForeign(word: string, before: string): boolean {
  return (
    FOREIGN_PASSWORDS.has(word) || FOREIGN_PHRASES.get(word)?.includes(before) === true || FOREIGN_ENDING.test(word)
  );
}

/** `clé_api`, `token_de_acceso`, `zugriffs_schlüssel`: in which order differs from language to language. */
function isForeignKey(words: readonly string[]): boolean {
  const last = words.at(-1) ?? "";
  const before = words.findLast((word, at) => at < words.length - 1 && !/^d[aeiou]l?$/.test(word)) ?? "";
  return (
    (FOREIGN_QUALIFIERS.has(last) && FOREIGN_KEYS.has(before)) ||
    (FOREIGN_KEYS.has(last) && FOREIGN_QUALIFIERS.has(before) && !/^(?:token|code)$/.test(last))
  );
}

/** Whether a name is that of a service whose keys look like any random text. */
export function isVendorName(name: string): boolean {
  if (((ENDINGS[endingOf(name, 0, name.length)] ?? 0) & VENDOR) === 0) return false;
  return VENDOR_NAMES.has(nameWords(name.slice(-LONGEST_NAME)).at(-1) ?? "");
}

/** The last letters of words, and how many of them are looked at. */
const ENDING = 3;
const ENDINGS = new Uint8Array(1 << (5 * ENDING));
const [SECRET, VENDOR, SAYING] = [1, 2, 4];
const learn = (words: Iterable<string>, flag: number): void => {
  for (const word of words) {
    const ending = endingOf(word, 0, word.length);
    ENDINGS[ending] = (ENDINGS[ending] ?? 0) | flag;
  }
};
learn([...SECRET_WORDS, ...FOREIGN_PASSWORDS, ...FOREIGN_PHRASES.keys(), ...ENDS], SECRET);
learn(["token", "auth", "key", "keys", "pass", "signature", "phrase", "hash", "response", "request"], SECRET);
learn(["code", "codes", "verifier", "answer", "data"], SECRET);
learn([...PASSWORD_ENDS, ...FOREIGN_KEYS, ...FOREIGN_QUALIFIERS], SECRET);
learn(
  "passwort kennwort wachtwoord losenord passord salasana adgangskode schlussel schluessel schlssel sleutel".split(" "),
  SECRET,
);
learn(VENDOR_NAMES, VENDOR);
// names that need a second look: at the word before, or at what stands behind
learn(["base", "code", "value", "content", "default", "Private-Lines", ...WEAK_ENDINGS], SAYING);

/** The last letters of a name in `text[from, to)` as one number; what is no letter counts for nothing. */
function endingOf(text: string, from: number, to: number): number {
  let ending = 0;
  let letters = 0;
  for (let at = to - 1; at >= from && letters < ENDING; at--) {
    const unit = text.charCodeAt(at) | 32;
    if (unit < 97 || unit > 122) continue;
    ending = (ending << 5) | (unit - 96);
    letters++;
  }
  return ending;
}

const [B, P, W] = [66, 112, 119];
const BASE64 = /b(?:ase_?)?64$/i;
const FOUR = 52;

/** The cheap first look at a name: most end with none of the words that are meant. */
function mayEnd(text: string, from: number, to: number, flags: number): boolean {
  if (((ENDINGS[endingOf(text, from, to)] ?? 0) & flags) !== 0) return true;
  const last = text.charCodeAt(to - 1);
  return (
    last > 127 ||
    // one letter is no ending of a word
    (last === FOUR && to - 3 >= from && BASE64.test(text.slice(Math.max(from, to - 7), to))) ||
    ((last | 32) === W && to - 2 >= from && (text.charCodeAt(to - 2) | 32) === P) ||
    (text.charCodeAt(from) === B && text.startsWith("BUNDLE_", from))
  );
}

/** Whether a name in `text[from, to)` may be secret, that of a service, or half of such a name. */
export const maySaySecret = (text: string, from: number, to: number): boolean =>
  mayEnd(text, from, to, SECRET | VENDOR | SAYING);

/** Words that name a secret behind one of these alone: `ssh_key` is one by its table, `answer` only as `security_answer`. */
const BEHIND: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    keys: "api access secret private",
    verifier: "code oauth",
    answer: "security secret",
    signature: "amz goog access",
    response: "saml",
    request: "saml",
    hash: "password passwd pwd",
    code: "recovery backup",
    codes: "recovery backup",
    phrase: "seed recovery pass",
  }).map(([last, before]) => [last, new Set(before.split(" "))]),
);
const AUTH_OWNERS: ReadonlySet<string> = new Set(["basic", "proxy", "http", "rediscli"]);

/** What the last word of a name says, where that depends on the words before it. */
const LAST_WORDS: Readonly<Record<string, (before: string | undefined, words: readonly string[]) => boolean>> = {
  token: (before) => before === undefined || !PLAIN_TOKENS.has(before),
  auth: (before, words) => before === undefined || words[0] === "x" || AUTH_OWNERS.has(before),
  // public_api_key is as public as it says; a vendor may stand between: X-Goog-Api-Key, AWS_SECRET_ACCESS_KEY
  key: (before, words) =>
    before !== undefined &&
    (KEY_QUALIFIERS.has(before) || VENDOR_NAMES.has(before) || KEY_VENDORS.has(before)) &&
    !words.includes("public") &&
    !words.includes("publishable"),
  // of the configuration of a cluster: base64 of a private key
  data: (before, words) => before === "key" && words.at(-3) === "client",
  pass: (before) => before !== undefined && PASS_OWNERS.has(before),
};

function judge(name: string): boolean {
  // bundler reads user and password of a host from variables of this form
  if (/^BUNDLE_[A-Z0-9]+__[A-Z0-9_]+$/.test(name)) return true;
  const all = nameWords(name);
  let end = all.length;
  let isAgain = false;
  for (; end > 1; end--) {
    const word = all[end - 1] ?? "";
    if (PASSWORD_ENDS.has(word)) isAgain = true;
    else if (!ENDS.has(word)) break;
  }
  const isPassword = isForeign(all[end - 1] ?? "", all[end - 2] ?? "");
  if (isPassword || isForeignKey(all)) return true;
  if (isAgain && !PASSWORD_WORD.test(all[end - 1] ?? "")) return false;
  const words = all
    .slice(0, end)
    .map((word) => word.replace(/[^a-z]+/g, ""))
    .filter((word) => word !== "");
  return isSecretWord(words);
}

function isSecretWord(words: readonly string[]): boolean {
  const last = words.at(-1);
  if (last === undefined) return false;
  const before = words.at(-2);
  const behind = BEHIND.get(last);
  if (behind !== undefined) return before !== undefined && behind.has(before);
  if (Object.hasOwn(LAST_WORDS, last)) return LAST_WORDS[last]?.(before, words) === true;
  return SECRET_WORDS.has(last) || (COMPOUND.test(last) && !/^(?:no|forgot|reset|change)/.test(last));
}

const PARAMETERS = /^(?:signature|sign|hmac|ticket|code|auth_?code)$/i;

/** `?key=…`: what no number in hexadecimal digits can be. */
const RANDOM = /^(?=[^]*[0-9])(?=[^]*[g-zG-Z])[A-Za-z0-9]{20,128}$/;

/** Names that are too common to be secret anywhere, over a value that can hardly be anything else. Of queries only. */
export function isSecretParameter(name: string, value: string): boolean {
  if (name.toLowerCase() === "key") return RANDOM.test(value) && /[A-Za-z][0-9][^]*[A-Za-z][0-9]/.test(value);
  return (
    PARAMETERS.test(name) &&
    /^[A-Za-z0-9._~%+/=-]{16,4096}$/.test(value) &&
    /[0-9]/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !/^[A-Za-z]+(?:[-_.][A-Za-z0-9]+)+$/.test(value)
  );
}
