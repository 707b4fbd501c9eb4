import type { Hit } from "../../scan/hit.ts";
import type { Area } from "../area.ts";
import { isCredential } from "./credential.ts";

const NAME = "authorization";
/** what stands between the name and the scheme: in code, in a table, in a log */
const BETWEEN = /["'`\]\\]{0,3}[\s,:=>|-]{0,6}["'`\\]{0,2}[ \t]{0,3}/y;
const SCHEME =
  /(?:bearer|basic|token|api-?key|api-token|jwt|ssws|negotiate|ntlm|oauth|apikeyauth)(?:[ \t]{1,4}|%20|\+)/iy;
/** schemes whose credentials are a list of named values */
const LIST_SCHEME = /(?:digest|oauth|hawk|signature|mac|aws4-[a-z0-9-]{1,24}|goog4-[a-z0-9-]{1,24})[ \t]{1,4}/iy;
const LIST = /(?:[a-z_-]{2,32}=(?:\\?"[^"\\\n]{0,400}\\?"|[^\s,"'\\\n]{1,400})(?:[ \t]{0,2},[ \t\n]{0,3})?){1,16}/iy;
const VALUE = /[A-Za-z0-9._~+/%-]{8,4096}={0,2}/y;
const BEARER = /bearer[ \t]{1,4}/iy;
const BASIC = /basic[ \t]{1,4}/iy;
const USER_AND_PASSWORD = /^[^\s:]{1,128}:[^\s]{1,256}$/;
const SHORTEST_BARE = 16;

/** Credentials behind the word `authorization`, in whatever case and punctuation; its `z` stands before `at`. */
export function authorization(text: string, at: number, area: Area): Hit | null {
  const start = at - NAME.indexOf("za") - 1;
  if (start < area.from || start + NAME.length >= area.to) return null;
  for (let i = 0; i < NAME.length; i++) if ((text.charCodeAt(start + i) | 32) !== NAME.charCodeAt(i)) return null;
  BETWEEN.lastIndex = start + NAME.length;
  if (!BETWEEN.test(text)) return null;
  const begin = BETWEEN.lastIndex;
  const list = matchEnd(LIST_SCHEME, text, begin);
  const listEnd = list === -1 ? -1 : matchEnd(LIST, text, list);
  if (listEnd !== -1 && listEnd <= area.to) return credential(list, trimmed(text, list, listEnd));
  const scheme = matchEnd(SCHEME, text, begin);
  return scheme === -1 ? null : valueAt(text, scheme, area, 8);
}

/** Up to six characters are found fastest. */
const LOWER = ["bearer", "basic "];

/** The same in small letters, which are too common to stop at: looked for in the whole text at once. */
export function lowerSchemes(text: string, area: Area): Hit[] {
  const hits: Hit[] = [];
  for (const word of LOWER)
    for (let at = text.indexOf(word, area.from); at !== -1 && at < area.to; at = text.indexOf(word, at + word.length)) {
      const hit = bareScheme(text, at + 1, area);
      if (hit !== null) hits.push(hit);
    }
  return hits;
}

/** `Bearer …` and `Basic …` where nothing names them; their second letter stands at `at`. */
export function bareScheme(text: string, at: number, area: Area): Hit | null {
  // `b`: most stops of this table are other words
  if ((text.charCodeAt(at - 1) | 32) !== 98) return null;
  const before = at - 2 < area.from ? 32 : text.charCodeAt(at - 2);
  if ((before | 32) >= 97 && (before | 32) <= 122) return null;
  const bearer = matchEnd(BEARER, text, at - 1);
  if (bearer !== -1) return valueAt(text, bearer, area, SHORTEST_BARE);
  const basic = matchEnd(BASIC, text, at - 1);
  if (basic === -1) return null;
  const end = matchEnd(VALUE, text, basic);
  if (end === -1 || end > area.to) return null;
  const pair = Buffer.from(text.slice(basic, end), "base64").toString("latin1");
  return USER_AND_PASSWORD.test(pair) ? credential(basic, end) : null;
}

const LONG_RUN = 512;

function valueAt(text: string, start: number, area: Area, shortest: number): Hit | null {
  // what follows a scheme within a long value was read with it
  if (start < area.schemeTo) return null;
  const end = matchEnd(VALUE, text, start);
  if (end === -1 || end > area.to) return null;
  if (end - start > LONG_RUN) area.schemeTo = end;
  const stop = trimmed(text, start, end);
  const found = text.slice(start, stop);
  return found.length >= shortest && isCredential(found, shortest < SHORTEST_BARE) ? credential(start, stop) : null;
}

const credential = (start: number, end: number): Hit => ({ start, end, type: "AUTH", rule: "auth.scheme" });

/** Without what ends a sentence or parts a list. */
function trimmed(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && ".,; \t\n".includes(text.charAt(at - 1))) at--;
  return at;
}

function matchEnd(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : -1;
}
