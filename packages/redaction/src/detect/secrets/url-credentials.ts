import type { Hit } from "../../scan/hit.ts";
import type { Area } from "../area.ts";
import { isSpace } from "../character.ts";

const LONGEST = 512;
const STOPS = new Set([...`/"'<>?#\\\``].map((c) => c.charCodeAt(0)));

export interface UserInfo {
  readonly hits: readonly Hit[];
  /** the `@` behind the user info: it belongs to no address */
  readonly at: number;
}

/**
 * User and password of a URL whose `://` ends before `start`. Two hits, so that what parses as user and password
 * goes on doing so. Null: the URL names neither.
 */
export function urlCredentials(text: string, start: number, to: number): UserInfo | null {
  const limit = Math.min(to, start + LONGEST);
  let at = -1;
  for (let i = start; i < limit; i++) {
    const unit = text.charCodeAt(i);
    if (STOPS.has(unit) || isSpace(unit)) break;
    // the last one before the host ends: passwords hold unescaped ones
    if (unit === 64) at = i;
  }
  if (at === -1) at = behindUnescaped(text, start, limit);
  if (at === -1) return null;
  const info = text.slice(start, at);
  const hits: Hit[] = [];
  if (info !== "git") {
    const colon = info.indexOf(":");
    const user = colon === -1 ? info.length : colon;
    const isNode = colon === -1 && NODE.test(info);
    if (user > 0 && !isNode) put(hits, info.slice(0, user), start);
    if (user + 1 < info.length) put(hits, info.slice(user + 1), start + user + 1);
  }
  return { hits, at };
}

const UNESCAPED = /[\w.+-]{1,64}:(?!\d{1,5}[/?#])[^\s/"'<>`\\@:]{1,128}@[\w.-]{1,253}(?::\d{1,5})?(?=[/\s"'`,;)]|$)/y;
/** The `@` behind a password with a `?` or a `#` that nobody has escaped; -1: there is none. */
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
