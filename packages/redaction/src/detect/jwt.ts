import type { Hit } from "../hit.ts";
import { alphabet, DIGITS, LOWER, runEnd, UPPER } from "./character.ts";

const BASE64URL = alphabet(`${DIGITS + UPPER + LOWER}-_`);
const SHORTEST_PART = 10;
const DOT = 46;

/** A signed or encrypted token whose `eyJ` begins at `start` (`eyJ` is `{"` in base64). */
export function jwt(text: string, start: number, from: number, to: number): Hit | null {
  if (start > from) {
    const before = text.charCodeAt(start - 1);
    if (before < 128 && BASE64URL[before] === 1) return null;
  }
  const first = runEnd(text, start, to, BASE64URL);
  if (first - start < SHORTEST_PART || text.charCodeAt(first) !== DOT || first + 1 >= to) return null;
  const second = runEnd(text, first + 1, to, BASE64URL);
  if (text.charCodeAt(second) !== DOT || second >= to || !names(text.slice(start, first))) return null;
  if (second - first - 1 < SHORTEST_PART && second !== first + 1) return null;
  let end = runEnd(text, second + 1, to, BASE64URL);
  // five parts: encrypted, its second part may be empty
  for (let part = 0; part < 2 && end < to && text.charCodeAt(end) === DOT; part++) {
    const next = runEnd(text, end + 1, to, BASE64URL);
    if (next === end + 1) break;
    end = next;
  }
  return { start, end, type: "JWT", rule: "jwt" };
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
      name,
      typeof claim === "number" || typeof claim === "boolean" ? claim : "redacted",
    ]),
  );
  const { alg, typ } = decode(header) ?? {};
  const head = { ...(typeof alg === "string" ? { alg } : {}), ...(typeof typ === "string" ? { typ } : {}) };
  return `${encode(head)}.${encode(plain)}.${token}`;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value), "utf8").toString("base64url");
