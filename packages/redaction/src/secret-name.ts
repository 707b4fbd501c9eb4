/** Words that make a name secret when they stand last in it. */
const SECRET_WORDS = new Set([
  "token",
  "secret",
  "password",
  "passwd",
  "passphrase",
  "pwd",
  "credential",
  "credentials",
  "authorization",
  "cookie",
  "jwt",
  "apikey",
  "authtoken",
  "accesstoken",
  "refreshtoken",
  "secretkey",
  "privatekey",
  "accesskey",
  "clientsecret",
  "apitoken",
  "apisecret",
  "bearer",
]);
/** `key` is secret only after one of these. */
const KEY_QUALIFIERS = new Set([
  "api",
  "access",
  "secret",
  "private",
  "auth",
  "encryption",
  "signing",
  "master",
  "service",
  "account",
  "subscription",
  "webhook",
  "storage",
  "ssh",
  "deploy",
  "functions",
  "role",
]);
/** `token` is no secret after one of these: places in a list, and the vocabulary of models. */
const PLAIN_TOKENS = new Set([
  "next",
  "previous",
  "prev",
  "page",
  "continuation",
  "sync",
  "start",
  "end",
  "eos",
  "bos",
  "pad",
  "stop",
  "special",
  "unk",
  "mask",
  "sep",
  "cls",
  "first",
  "last",
  "per",
  "cancellation",
  "input",
  "output",
  "text",
  "image",
  "audio",
  "media",
  "prompt",
  "completion",
  "new",
]);
const LONGEST_NAME = 64;
const REMEMBERED = 2048;

const remembered = new Map<string, boolean>();

/**
 * Whether a name (JSON key, header, query parameter, environment variable) stands for a secret. Compared word by
 * word: `token`, `x-api-key`, `clientSecret` do; `max_tokens`, `tokenizer`, `author`, `token_count` do not.
 */
export function isSecretName(name: string): boolean {
  if (name.length < 3) return false;
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

function judge(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^a-z]+/)
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
    return KEY_QUALIFIERS.has(before) && !words.includes("public");
  }
  return SECRET_WORDS.has(last);
}
