import type { Hit } from "../../scan/hit.ts";
import type { Area } from "../area.ts";
import { isSpace } from "../character.ts";
import { isPlaceholder } from "./placeholder.ts";

const LONG = /--(?:proxy-)?user(?:[ \t]+|=)/y;
/** Behind other short options that take no value; what they take may follow at once. */
const SHORT = /-[#0-46afgGijJkIlLMnNOpqRsSvVB]*u(?:[ \t]+|=)?(?=\S)/y;
const MOST_SHORT = 12;
/** One side: quoted whole, or bare up to the next space or colon. */
const LONGEST = 256;
const LOOK_BACK = 2048;
const DASH = 45;
const QUOTES = new Set([34, 39]);

/** `-u user:password`, `-uuser:password` and `--user …` of curl; the `u` of the option stands at `at`. The whole pair is replaced. */
export function curlUser(text: string, at: number, area: Area): Hit | null {
  const { from, to } = area;
  const begin = valueStart(text, at, from);
  if (begin === -1 || begin >= to) return null;
  area.hasCurl ??= /\bcurl\b/.test(text.slice(Math.max(from, at - LOOK_BACK), at));
  if (!area.hasCurl) return null;
  const end = argumentEnd(text, begin, Math.min(to, begin + LONGEST));
  const written = text.slice(begin, end);
  const bare = written.replace(/["']/g, "");
  const colon = bare.indexOf(":");
  if (colon === -1) return null;
  const user = bare.slice(0, colon);
  const password = bare.slice(colon + 1);
  if (!isSecret(user, password === "" ? user : password)) return null;
  // quotes around the whole stay
  const quoted =
    QUOTES.has(text.charCodeAt(begin)) &&
    text.charCodeAt(begin) === text.charCodeAt(end - 1) &&
    !written.slice(1, -1).includes(text.charAt(begin));
  return quoted
    ? { start: begin + 1, end: end - 1, type: "AUTH", rule: "auth.curl", canonical: bare }
    : { start: begin, end, type: "AUTH", rule: "auth.curl", canonical: bare };
}

/** Where the value of the option begins whose `u` stands at `at`: of `-u`, `-sSu`, `--user` or `--proxy-user`; -1: it is none. */
function valueStart(text: string, at: number, from: number): number {
  for (let dash = at - 1; dash >= Math.max(from, at - MOST_SHORT); dash--) {
    if (text.charCodeAt(dash) !== DASH) continue;
    const isFirst = dash === from || isSpace(text.charCodeAt(dash - 1));
    if (!isFirst) continue;
    const option = text.charCodeAt(dash + 1) === DASH ? LONG : SHORT;
    option.lastIndex = dash;
    return option.test(text) && option.lastIndex > at ? option.lastIndex : -1;
  }
  return -1;
}

const isSecret = (user: string, secret: string): boolean =>
  secret.length >= 3 &&
  !isPlaceholder(trimmed(secret)) &&
  !(user !== "" && /^[$<[]/.test(user) && /^[$<[]/.test(secret));

const trimmed = (text: string): string => text.replace(/^\{(.*)\}$/, "$1");

/** End of a shell's argument: at a space outside quotes. */
function argumentEnd(text: string, begin: number, limit: number): number {
  let quote = 0;
  for (let at = begin; at < limit; at++) {
    const unit = text.charCodeAt(at);
    if (quote !== 0) {
      if (unit === quote) quote = 0;
    } else if (QUOTES.has(unit)) quote = unit;
    else if (isSpace(unit)) return at;
  }
  return limit;
}
