import { nameWords } from "./name-words.ts";
import { PASSWORD_ENDS } from "./secret-words.ts";

/** A path from a folder that systems have, or to a file: what `PWD` and `…_CREDENTIALS` hold as a rule. */
const PATH =
  /^(?:file:\/\/)?(?:(?:~|\.{1,2}|[A-Za-z]:)?[\\/](?:home|Users|root|usr|var|etc|opt|tmp|srv|mnt|app|workspaces?|run|private|Volumes|builds)(?:[\\/][\w.@ +-]{1,64}){0,16}[\\/]?|[\w.~:@+-]{0,40}(?:[\\/][\w.@ +-]{1,64}){1,16}\.(?:json|p12|pfx|pem|key|txt|ya?ml|ini|toml|conf|cfg))$/;
const MODES = /^(?:same-origin|include|omit)$/;
const PIECE = /^ ?(?=[^]*[aeiouy])[A-Z]?[a-z]{0,11}(?:[.-][a-z]{2,11}){0,4}$/;
/** The words of labels and complaints; a passphrase is not made of these alone. */
const UI = new Set(
  (
    "a again an and any at be blank can can't cannot capital case change characters choose confirm confirmation " +
    "contain contains create current digit digits do does doesn't don't email empty enter field for forgot forgotten has have " +
    "hide in incorrect invalid is it least least length letter letters long longer lowercase match matching maximum minimum missing " +
    "must new no not number numbers of old one optional or password passwords please repeat required reset retype sensitive " +
    "set short should show special strong symbol symbols than the this to too type uppercase use username was weak with wrong you your"
  ).split(" "),
);

/** Names that ids and folders have too. */
const WEAK_KEY =
  /(?:project|product|serial|user|account|client|service|storage|session|tenant|partner|merchant|role|app|application|bot)[-_]?key$/i;
/** `PROJ`, `avatars/2024/a.png`, `agent:main:main` */
const PLAIN_ID = /^(?:[A-Z]{2,10}|[A-Z]?[a-z]{1,11}(?:[-_.:/](?:[a-z]{1,11}|\d{1,12})){0,8})$/;
/** What a secret is called, where it is not kept itself: `db`, `db-credentials`. */
const SECRETS_NAME = /^(?:[a-z]{1,4}|(?:[a-z]{1,12}-){1,4}(?:credentials|creds|secrets?|tokens?|keys?|certs?|tls))$/;

/** A word of a text, a class of a highlighter, under `token`; an id or a name. Of JSON only: queries carry secrets. */
export function isPieceOfText(name: string, value: string): boolean {
  if (name === "token") return PIECE.test(value);
  return /^secrets?$/i.test(name) ? SECRETS_NAME.test(value) : WEAK_KEY.test(name) && PLAIN_ID.test(value);
}

/** The name itself, in some spelling: a header's name in a constant, a package in a list. A password may be one word. */
function isOwnName(words: readonly string[], value: string): boolean {
  if (words.length < 2 && words[0] !== "cookie") return false;
  if (value.length > 64 || /\s/.test(value)) return false;
  return nameWords(value).join("") === words.join("");
}

/** Whether what stands under a secret name is plainly something else: a path, a mode, a label. */
export function isPlainUnder(name: string, value: string): boolean {
  if (value.length > 256) return false;
  const words = nameWords(name);
  const last = words.findLast((word) => !PASSWORD_ENDS.has(word));
  if (isOwnName(words, value)) return true;
  if (last === "pwd" || last === "credentials") return PATH.test(value) || (last !== "pwd" && MODES.test(value));
  if (!/\s/.test(value) || !/^(?:password|passwd|passphrase|passwort)$/.test(last ?? "")) return false;
  const sentence = value.match(/[^\s()"“”,.!?:;-]+/g) ?? [];
  return sentence.length > 1 && sentence.every((word) => UI.has(word.toLowerCase()) || /^\d{1,3}$/.test(word));
}
