import type { Hit } from "../../scan/hit.ts";
import type { Area } from "../area.ts";
import { isSpace } from "../character.ts";

const LONGEST = 512;
const STOPS = new Set([...`/"'<>?#\\\``].map((c) => c.charCodeAt(0)));

const NONE: readonly Hit[] = [];

/**
 * User and password of a URL whose colon stands at `at`. Two hits, so that what parses as user and password goes on
 * doing so. Null: no URL begins there.
 */
export function urlUserInfo(text: string, at: number, area: Area): readonly Hit[] | null {
  if (!text.startsWith("://", at) || at + 2 >= area.to) return null;
  const start = at + "://".length;
  const end = userInfoEnd(text, start, Math.min(area.to, start + LONGEST));
  if (end === -1) return NONE;
  // a colon, a secret name or an `@` inside is part of it
  area.userInfoTo = area.colonTo = end;
  area.valueTo = Math.max(area.valueTo, end);
  const info = text.slice(start, end);
  const hits: Hit[] = [];
  if (info === "git") return hits;
  const colon = info.indexOf(":");
  const user = colon === -1 ? info.length : colon;
  const isNode = colon === -1 && NODE.test(info);
  if (user > 0 && !isNode) put(hits, info.slice(0, user), start);
  if (user + 1 < info.length) put(hits, info.slice(user + 1), start + user + 1);
  return hits;
}

/** The `@` behind the user info that begins at `start`; -1: the URL has none. */
function userInfoEnd(text: string, start: number, limit: number): number {
  let at = -1;
  for (let i = start; i < limit; i++) {
    const unit = text.charCodeAt(i);
    if (STOPS.has(unit) || isSpace(unit)) break;
    // the last one before the host ends: passwords hold unescaped ones
    if (unit === 64) at = i;
  }
  return at === -1 ? behindUnescaped(text, start, limit) : at;
}

const UNESCAPED = /[\w.+-]{1,64}:(?!\d{1,5}[/?#])[^\s/"'<>`\\@:]{1,128}@[\w.-]{1,253}(?::\d{1,5})?(?=[/\s"'`,;)]|$)/y;
/** The `@` behind a password with a `?` or a `#` that is not escaped; -1: there is none. */
function behindUnescaped(text: string, start: number, limit: number): number {
  UNESCAPED.lastIndex = start;
  return UNESCAPED.test(text) && UNESCAPED.lastIndex <= limit ? text.lastIndexOf("@", UNESCAPED.lastIndex) : -1;
}

/** An actor or a process at its host, as clusters write them: a name in capitals and small letters. */
const NODE = /^[a-z]*(?:[A-Z][a-z]+){2,6}$/;
/** What a template fills in. */
const TEMPLATE = /^(?:\{\w{1,40}\}|\$\{\w{1,40}\}|\[\w{1,40}\]|<\w{1,40}>|#\{[\w.]{1,60}\})$/;

function put(hits: Hit[], raw: string, start: number): void {
  if (!TEMPLATE.test(raw)) hits.push(credential(raw, start));
}

const ORACLE = /(?:thin:|\bsqlplus[ \t]{1,3})[\w$#]{1,30}\/([^\s/@"']{3,64})$/;
const LONGEST_SOURCE = 220;

const GO = /(?:^|[\s"'`=(])[\w.-]{1,64}:([^\s:/"'`]{3,128})$/;
const GO_NETWORK = /@(?:tcp|unix)6?\(/y;

/** `jdbc:oracle:thin:user/password@…`, `user:password@tcp(…)/` of Go: the password in front of the `@` at `at`. */
export function sourcePassword(text: string, at: number, area: Area): Hit | null {
  const { from } = area;
  if (at <= area.userInfoTo) return null;
  GO_NETWORK.lastIndex = at;
  if (GO_NETWORK.test(text)) {
    const password = GO.exec(text.slice(Math.max(from, at - LONGEST_SOURCE), at))?.[1];
    return password === undefined ? null : credential(password, at - password.length);
  }
  area.hasOracle ??= text.includes("thin:") || text.includes("sqlplus");
  if (!area.hasOracle) return null;
  const password = ORACLE.exec(text.slice(Math.max(from, at - LONGEST_SOURCE), at))?.[1];
  return password === undefined ? null : credential(password, at - password.length);
}

function credential(raw: string, start: number): Hit {
  let canonical = raw;
  try {
    canonical = decodeURIComponent(raw);
  } catch {
    // not escaped: taken as written
  }
  return { start, end: start + raw.length, type: "AUTH", rule: "auth.url", canonical };
}
