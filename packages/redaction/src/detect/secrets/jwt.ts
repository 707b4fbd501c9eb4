import type { Hit } from "../../scan/hit.ts";
import { isSecretName } from "../../names/secret-name.ts";
import type { Area } from "../area.ts";
import { alphabet, DIGITS, LOWER, runEnd, UPPER } from "../character.ts";

const BASE64URL = alphabet(`${DIGITS + UPPER + LOWER}-_`);
const SHORTEST_PART = 10;
const DOT = 46;

/** A signed or encrypted token that begins with `eyJ` (`{"` in base64), whose `J` stands at `at`. */
export function jwtAt(text: string, at: number, { from, to }: Area): Hit | null {
  const start = at - 2;
  if (start < from || !text.startsWith("eyJ", start)) return null;
  if (start > from && isBase64Url(text.charCodeAt(start - 1))) return null;
  const first = runEnd(text, start, to, BASE64URL);
  if (first - start < SHORTEST_PART || text.charCodeAt(first) !== DOT || first + 1 >= to) return null;
  const second = runEnd(text, first + 1, to, BASE64URL);
  if (text.charCodeAt(second) !== DOT || second >= to || !names(text.slice(start, first))) return null;
  if (second - first - 1 < SHORTEST_PART && second !== first + 1) return null;
  return { start, end: lastPartEnd(text, second + 1, to), type: "JWT", rule: "jwt" };
}

const isBase64Url = (unit: number): boolean => unit < 128 && BASE64URL[unit] === 1;

/** End of the third part, or of the fifth: an encrypted token has five, of which the second may be empty. */
function lastPartEnd(text: string, from: number, to: number): number {
  let end = runEnd(text, from, to, BASE64URL);
  for (let part = 0; part < 2 && end < to && text.charCodeAt(end) === DOT; part++) {
    const next = runEnd(text, end + 1, to, BASE64URL);
    if (next === end + 1) break;
    end = next;
  }
  return end;
}

function names(header: string): boolean {
  const decoded = decode(header);
  return decoded !== null && ("alg" in decoded || "enc" in decoded || "typ" in decoded);
}

function decode(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/**
 * The same header and claim names, so that code which decodes the token still can: numbers and booleans stay,
 * every other claim reads `redacted`, and the signature is the redaction token. The literal part depends on no
 * key, so that a replay with another key aligns. Null: not of three parts, the token stands alone.
 */
export function redactedJwt(value: string, token: string): string | null {
  const parts = value.split(".");
  const header = parts[0];
  const claims = parts[1] === undefined || parts.length !== 3 ? null : decode(parts[1]);
  if (header === undefined || claims === null) return null;
  const plain = Object.fromEntries(
    Object.entries(claims).map(([name, claim]) => [
      CLAIM.test(name) ? name : "claim",
      typeof claim === "number" ? plainNumber(name, claim) : typeof claim === "boolean" ? claim : "redacted",
    ]),
  );
  const read = decode(header);
  // something else stands before it, such as a password: then nothing of the whole stays
  if (read === null) return null;
  const { alg, typ } = read;
  const head = { ...(typeof alg === "string" ? { alg } : {}), ...(typeof typ === "string" ? { typ } : {}) };
  return `${encode(head)}.${encode(plain)}.${token}`;
}

/** Words of code and addresses of vocabularies; other names of claims are data. */
const CLAIM = /^(?:https?:\/\/[a-z][a-z.-]{1,64}(?:\/[A-Za-z_-]{1,32}){0,6}|[A-Za-z_][A-Za-z_:-]{0,63})$/;

/** A whole number under a secret name, as in JSON: as many nines. */
function plainNumber(name: string, claim: number): number {
  const digits = String(claim);
  return isSecretName(name) && /^-?\d{4,15}$/.test(digits) ? Number(digits.replace(/\d/g, "9")) : claim;
}

const MARK = ".JWT_";
const TOKEN = /JWT_[a-z]{4}_[a-z]{16}(?![A-Za-z0-9_-])/y;
const LONGEST = 64 * 1024;

/** Where tokens stand that have been redacted before: exactly what would be made of them again. They are whole, and stay. */
export function redactedJwts(text: string): [start: number, end: number][] {
  const areas: [number, number][] = [];
  let floor = 0;
  for (let mark = text.indexOf(MARK); mark !== -1; mark = text.indexOf(MARK, mark + MARK.length)) {
    TOKEN.lastIndex = mark + 1;
    const token = TOKEN.exec(text)?.[0];
    if (token === undefined) continue;
    const end = mark + 1 + token.length;
    const limit = Math.max(floor, mark - LONGEST);
    let start = mark;
    for (let dots = 0; start > limit; start--) {
      const unit = text.charCodeAt(start - 1);
      if (unit === DOT ? ++dots > 1 : unit > 127 || BASE64URL[unit] !== 1) break;
    }
    const [begin] = beginsOf(text, start, mark).filter(
      (at) => redactedJwt(text.slice(at, end), token) === text.slice(at, end),
    );
    if (begin !== undefined) areas.push([begin, end]);
    floor = end;
  }
  return areas;
}

/** Where a header may begin between two offsets: an escape may stand before it, and one of which nothing stayed is `{}`. */
function beginsOf(text: string, from: number, to: number): number[] {
  const begins = ["eyJ", "e30."].map((header) => text.indexOf(header, from));
  return [from, ...begins.filter((at) => at > from && at < to)];
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value), "utf8").toString("base64url");
