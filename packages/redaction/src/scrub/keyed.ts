import { findTokens } from "@reenact/envelope";
import type { Hit } from "../scan/hit.ts";
import { redactedJwts } from "../detect/secrets/jwt.ts";
import { isPlainUnder } from "../names/plain-under-secret.ts";

const SCHEME = /^[A-Za-z][A-Za-z0-9-]{1,31}[ \t]+/;
export const COOKIE = /^(?:set-)?cookie$/i;
const AUTHORIZATION = /^(?:proxy-)?authorization$/i;
/** What stands under a secret name without being one. */
const PLAIN =
  /^(?:[^A-Za-z0-9]*|none|null|true|false|undefined|bearer|basic|required|optional|string|str|auto|n\/a|(?:dis|en)abled)$/i;

/** A placeholder for a value, or what replaced one, and nothing else: `${NAME}`, `<NAME>`, `[REDACTED]`, `sk-...`. */
const REFERENCE =
  /^(?:\$[A-Z]+(?:_[A-Z0-9]+)*|(?:\$\{|\$?\{\{) ?[A-Za-z_][\w.]{0,63} ?\}{1,2}|[<[][A-Za-z][A-Za-z _-]{1,39}[>\]]|(?:[a-z]{1,6}[-_]){0,3}(?:\.{3,}|…|\*{3,}|[xX]{3,})|process\.env\.\w{1,64}|op:\/\/[\w ./-]{3,200}|(?:YOUR|your)[-_][A-Za-z_-]{2,40})$/;

/** A stretch of a leaf that is secret as a whole, because of the name it stands under. */
export interface Region {
  readonly start: number;
  readonly end: number;
}

/** Secret stretches of a value under a secret name: credentials behind a scheme word, each cookie's value, or all of it. */
export function regions(key: string, value: string): Region[] {
  const name = key.slice(key.lastIndexOf(".") + 1);
  const found = COOKIE.test(name) ? cookieValues(value, /^set-/i.test(name)) : [afterScheme(name, value)];
  return found.flatMap((region) => pieces(value, region));
}

function afterScheme(name: string, value: string): Region {
  const scheme =
    AUTHORIZATION.test(name) || /^(?:bearer|basic)\s/i.test(value) ? SCHEME.exec(value)?.[0].length : undefined;
  return { start: scheme ?? 0, end: value.length };
}

/** A version, of the package that has this name. */
const VERSION = /^[~^<>=v ]{0,3}\d+\.\d+(?:\.[\w.+-]{1,32})?$/;

/** `name=value; name=value`; of `set-cookie` only the first, the rest are attributes that code reads. */
function cookieValues(value: string, onlyFirst: boolean): Region[] {
  const out: Region[] = [];
  if (VERSION.test(value)) return out;
  for (let from = 0; from < value.length;) {
    const semicolon = value.indexOf(";", from);
    const end = semicolon === -1 ? value.length : semicolon;
    const equals = value.indexOf("=", from);
    const start = equals === -1 || equals >= end ? from : equals + 1;
    out.push({ start, end });
    if (onlyFirst) break;
    from = end + 1;
  }
  return out;
}

/**
 * The region without space around it and without tokens that stand in it already. What begins with a token has been
 * redacted before: what is glued to it was not secret then either.
 */
function pieces(value: string, region: Region): Region[] {
  const out: Region[] = [];
  const add = (start: number, end: number): void => {
    const text = value.slice(start, end);
    const from = start + text.length - text.trimStart().length;
    const to = end - (text.length - text.trimEnd().length);
    const found = value.slice(from, to);
    if (to > from && !PLAIN.test(found) && !REFERENCE.test(found)) out.push({ start: from, end: to });
  };
  let from = region.start;
  for (const token of findTokens(value)) {
    if (token.end <= region.start || token.start >= region.end) continue;
    if (from === region.start && value.slice(from, token.start).trim() === "") return [];
    add(from, Math.min(token.start, region.end));
    from = token.end;
  }
  add(from, region.end);
  return out;
}

/** Hits of a value under a secret name: each region whole, of the type of a hit that covers it, else AUTH. */
export function keyedHits(key: string, value: string, scan: (from: number, to: number) => Hit[]): Hit[] {
  if (isPlainUnder(key, value)) return [];
  const made = redactedJwts(value);
  const isMade = ({ start, end }: Region): boolean => made.some((area) => area[0] <= start && area[1] >= end);
  return regions(key, value).flatMap((region) => {
    if (isMade(region)) return [];
    const covering = scan(region.start, region.end).find((hit) => hit.start === region.start && hit.end === region.end);
    return [covering ?? { ...region, type: "AUTH", rule: "auth.name" }];
  });
}
