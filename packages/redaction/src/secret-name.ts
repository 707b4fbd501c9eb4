import { FOREIGN_PASSWORDS, FOREIGN_PHRASES } from "./foreign-passwords.ts";
import { nameWords } from "./name-words.ts";
import { COMPOUND, ENDS, KEY_QUALIFIERS, PASS_OWNERS, PLAIN_TOKENS, SECRET_WORDS } from "./secret-words.ts";
import { VENDOR_NAMES } from "./vendor-names.ts";

const LONGEST_NAME = 64;
const REMEMBERED = 2048;

const remembered = new Map<string, boolean>();
let vendorEndings: ReadonlySet<number> | null = null;

/**
 * Whether a name (JSON key, header, query parameter, environment variable) stands for a secret. Compared word by
 * word: `token`, `x-api-key`, `clientSecret` do; `max_tokens`, `tokenizer`, `author`, `token_count` do not.
 */
export function isSecretName(name: string): boolean {
  if (name.length < 2 || !mayEndSecret(name)) return false;
  // the last words decide: of a long name only its end is looked at
  if (name.length > LONGEST_NAME) return judge(name.slice(-LONGEST_NAME));
  let answer = remembered.get(name);
  if (answer === undefined) {
    answer = judge(name);
    if (remembered.size >= REMEMBERED) remembered.clear();
    remembered.set(name, answer);
  }
  return answer;
}

/** Whether a word, behind another one, says password in another language than English. Lower case. */
export function isForeign(word: string, before: string): boolean {
  return FOREIGN_PASSWORDS.has(word) || FOREIGN_PHRASES.get(word)?.includes(before) === true;
}

/** Whether a name is that of a service whose keys look like any random text. */
export function isVendorName(name: string): boolean {
  vendorEndings ??= new Set([...VENDOR_NAMES].map(endingOf));
  if (!vendorEndings.has(endingOf(name))) return false;
  return VENDOR_NAMES.has(nameWords(name.slice(-LONGEST_NAME)).at(-1) ?? "");
}

/** The last letters of the words that make a name secret, and how many of them are looked at. */
const ENDING = 3;
const ENDINGS = new Set(
  [
    ...SECRET_WORDS,
    ...FOREIGN_PASSWORDS,
    ...FOREIGN_PHRASES.keys(),
    "token",
    "auth",
    "key",
    "keys",
    "pass",
    "signature",
    "phrase",
    "hash",
    "response",
    "request",
    ...ENDS,
  ].map(endingOf),
);

/** The last letters of a name as one number; what is no letter counts for nothing. 0: there are too few. */
function endingOf(name: string): number {
  let ending = 0;
  let letters = 0;
  for (let at = name.length - 1; at >= 0 && letters < ENDING; at--) {
    const unit = name.charCodeAt(at) | 32;
    if (unit < 97 || unit > 122) continue;
    ending = (ending << 5) | (unit - 96);
    letters++;
  }
  return letters < ENDING ? 0 : ending;
}

/** The cheap first look: most names are not secret. */
function mayEndSecret(name: string): boolean {
  return (
    ENDINGS.has(endingOf(name)) ||
    name.charCodeAt(name.length - 1) > 127 ||
    /pw$/i.test(name) ||
    name.startsWith("BUNDLE_")
  );
}

function judge(name: string): boolean {
  // bundler reads user and password of a host from variables of this form
  if (/^BUNDLE_[A-Z0-9]+__[A-Z0-9_]+$/.test(name)) return true;
  const all = nameWords(name);
  if (isForeign(all.at(-1) ?? "", all.at(-2) ?? "")) return true;
  let end = all.length;
  while (end > 1 && ENDS.has(all[end - 1] as string)) end--;
  const words = all
    .slice(0, end)
    .map((word) => word.replace(/[^a-z]+/g, ""))
    .filter((word) => word !== "");
  const last = words.at(-1);
  if (last === undefined) return false;
  const before = words.at(-2);
  if (last === "token") return before === undefined || !PLAIN_TOKENS.has(before);
  if (last === "auth")
    return before === "x" || before === "basic" || before === "proxy" || before === "http" || before === undefined;
  if (last === "key") {
    if (before === undefined) return false;
    // public_api_key is as public as it says; a vendor may stand between: X-Goog-Api-Key, AWS_SECRET_ACCESS_KEY
    return (
      (KEY_QUALIFIERS.has(before) || VENDOR_NAMES.has(before)) &&
      !words.includes("public") &&
      !words.includes("publishable")
    );
  }
  if (last === "keys") return before === "api" || before === "access" || before === "secret" || before === "private";
  if (last === "pass") return before !== undefined && PASS_OWNERS.has(before);
  if (last === "signature") return before === "amz" || before === "goog" || before === "access";
  if (last === "response" || last === "request") return before === "saml";
  if (last === "hash") return before === "password" || before === "passwd" || before === "pwd";
  if (last === "phrase") return before === "seed" || before === "recovery" || before === "pass";
  return SECRET_WORDS.has(last) || (COMPOUND.test(last) && !/^(?:no|forgot|reset|change)/.test(last));
}

const PARAMETERS = /^(?:signature|sign|hmac|ticket|code|auth_?code)$/i;

/** Names that are too common to be secret anywhere, over a value that can hardly be anything else. Of queries only. */
export function isSecretParameter(name: string, value: string): boolean {
  return (
    PARAMETERS.test(name) &&
    /^[A-Za-z0-9._~%+/=-]{16,4096}$/.test(value) &&
    /[0-9]/.test(value) &&
    /[A-Za-z]/.test(value) &&
    !/^[A-Za-z]+(?:[-_.][A-Za-z0-9]+)+$/.test(value)
  );
}

/** The private members of a key in JSON (JWK): their names say nothing, what stands there does. */
export function isKeyMember(name: string, value: string): boolean {
  return (
    name.length <= 2 &&
    /^(?:d|p|q|dp|dq|qi|k)$/.test(name) &&
    value.length >= 42 &&
    /^(?=.*[0-9])(?=.*[a-z])(?=.*[A-Z])[A-Za-z0-9_-]{42,2048}$/.test(value)
  );
}
