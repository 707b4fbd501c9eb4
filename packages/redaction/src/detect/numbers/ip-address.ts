import type { Hit } from "../../scan/hit.ts";
import type { Find } from "../detector.ts";
import { isDiffMark, isDigit, isWord } from "../character.ts";

/** Addresses that name no machine: this host, any host, all hosts, the metadata of clouds. */
const UNSPECIFIC =
  /^(?:127\.|169\.254\.(?:169\.254|170\.2)$|0\.0\.0\.0$|255\.255\.255\.|255\.255\.0\.0$|255\.0\.0\.0$)/;
/** `FileVersion=`, `AssemblyVersion("`, `gem 'rails', '` */
const NAMES_VERSION =
  /(?:(?:[a-z]Version|_version|_VERSION)["']?[ \t]{0,2}[:=(]?|\b(?:gem|pod|\w{1,24}_dependency)[ (]{1,2}["'][\w./-]{1,40}["'],)[ \t]{0,2}["'~>=< ]{0,6}$/;
const LONGEST_DEPENDENCY = 96;
const [DASH, POINT, SLASH, COLON, UNDERSCORE] = [45, 46, 47, 58, 95];
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}$/;
const LONGEST_V6 = 45;
/** of a hardware address, and of an IPv6 address without `::` */
const LEAST_COLONS = 5;
export const isHex = (unit: number): boolean =>
  isDigit(unit) || (unit >= 97 && unit <= 102) || (unit >= 65 && unit <= 70);

/** Four groups of digits with points between them that are an address. */
export function isIpv4(text: string): boolean {
  return IPV4.test(text) && !UNSPECIFIC.test(text);
}

/** `10.1.2.3/24`: a machine with its mask. */
export function namesHost(address: string, bits: string): boolean {
  if (!/^(?:[89]|[12]\d|3[0-2])$/.test(bits)) return false;
  const value = address.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);
  return bits === "32" || value % 2 ** (32 - Number(bits)) !== 0;
}

/** A product and its version: `Chrome/120.0.0.0`, `v1.2.3.4`. */
export function isVersion(text: string, start: number, from: number): boolean {
  if (start === from) return false;
  const before = text.charCodeAt(start - 1);
  if (NAMES_VERSION.test(text.slice(Math.max(from, start - LONGEST_DEPENDENCY), start))) return true;
  if (isRange(text, start, from)) return true;
  if (before === 47) return start - 2 >= from && isWord(text.charCodeAt(start - 2));
  return false;
}

/** What stands before a version that a package asks for: `>=`, `~>`, `^`; with a space behind only what compares nothing else. */
const RANGE = /(?:[<>~!=]=|~>|[~^])$|(?:>=|~>|~=) $/;
const SIGNS = new Set([..."=>~^ "].map((c) => c.charCodeAt(0)));
const LESS = 60;

/** `>=1.2.0.0`, `<0.13.0.0`: a version. An address between `<` and `>` is none. */
function isRange(text: string, start: number, from: number): boolean {
  const sign = text.charCodeAt(start - 1);
  if (sign === LESS) return !/^[\d.]+>/.test(text.slice(start, start + 16));
  return SIGNS.has(sign) && RANGE.test(text.slice(Math.max(from, start - 3), start));
}

/** What has colons: an IPv6 address or a MAC address around the `:` at `at`. */
export const colonAddressAt: Find = (text, at, area) => {
  if (at < area.colonTo || !mayBeAddress(text, at, area.from, area.to)) return null;
  const { hit, end } = colonAddress(text, at, area.from, area.to);
  area.colonTo = end;
  return hit;
};

/** `end`: of the look, before which no other one may begin. */
function colonAddress(text: string, at: number, from: number, to: number): { hit: Hit | null; end: number } {
  const start = addressStart(text, at, from);
  if (start === -1) return { hit: null, end: at + 1 };
  const limit = Math.min(to, start + LONGEST_V6 + 16);
  let seen = at;
  while (seen < limit && isOfAddress(text.charCodeAt(seen))) seen++;
  let end = seen;
  while (end > at && text.charCodeAt(end - 1) === POINT) end--;
  // `fe80::1: text`
  const isIntroduced = end - 1 > at && text.charCodeAt(end - 1) === COLON && text.charCodeAt(end - 2) !== COLON;
  if (isIntroduced) end--;
  const stands =
    (start === from || mayFollow(text, start - 1, from)) && (end >= to || mayEnd(text.charCodeAt(end), isIntroduced));
  return { hit: stands ? addressIn(text, start, end, to) : null, end: seen };
}

/** Start of the IPv6 address whose first colon is at `at`; -1: the characters before the colon are no group of an address. */
function addressStart(text: string, at: number, from: number): number {
  let start = at;
  while (start > from && at - start < 4 && isHex(text.charCodeAt(start - 1))) start--;
  if (start === from) return start;
  const before = text.charCodeAt(start - 1);
  // a longer word is no group: the address may begin behind its colon
  if (start < at) return isWord(before) ? -1 : start;
  return before === COLON ? start - 1 : start;
}

const isOfAddress = (unit: number): boolean => isHex(unit) || unit === COLON || unit === POINT;

/** Whether an address may begin behind the character at `at`. */
function mayFollow(text: string, at: number, from: number): boolean {
  const unit = text.charCodeAt(at);
  if (isWord(unit) || unit === UNDERSCORE || unit === POINT) return false;
  if (unit === COLON) return isLabel(text, at, from);
  return unit !== DASH || isDiffMark(text, at);
}

/** Whether an address may end before a character. `isIntroduced`: the address introduces what follows its colon. */
const mayEnd = (unit: number, isIntroduced: boolean): boolean =>
  !isWord(unit) && unit !== UNDERSCORE && (unit !== COLON || isIntroduced);

/** The address that `text[start, end)` is. */
function addressIn(text: string, start: number, end: number, to: number): Hit | null {
  // times have colons too, but fewer, and no two of them side by side
  if (colonsOf(text, start, end) < LEAST_COLONS) return null;
  const found = text.slice(start, end);
  if (found.length > LONGEST_V6 || found.length < 3) return null;
  if (/^(?:[0-9a-fA-F]{2}:){5}(?:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}:)?[0-9a-fA-F]{2}$/.test(found))
    return macHit(found, start, end);
  // a network and its length, as `10.0.0.0/8` is one
  if (found.endsWith("::") && end < to && text.charCodeAt(end) === SLASH) return null;
  return isIpv6(found) ? { start, end, type: "IP", rule: "ip.v6", canonical: found.toLowerCase() } : null;
}

/** A word that is no group of an address stands before the colon at `colon`: `ip:`, `src:`. */
function isLabel(text: string, colon: number, from: number): boolean {
  let at = colon;
  let isHexOnly = true;
  while (at > from && colon - at < 24 && isWord(text.charCodeAt(at - 1))) {
    at--;
    if (!isHex(text.charCodeAt(at))) isHexOnly = false;
  }
  return at < colon && (!isHexOnly || colon - at > 4);
}

/** Number of colons in `text[start, end)`; two side by side count for as many as they may stand for. */
function colonsOf(text: string, start: number, end: number): number {
  let colons = 0;
  for (let at = start; at < end; at++) {
    if (text.charCodeAt(at) !== 58) continue;
    if (text.charCodeAt(at + 1) === 58) return LEAST_COLONS;
    colons++;
  }
  return colons;
}

/** `0A-1B-2C-3D-4E-5F`; the dash at `at` is the first. */
export function dashedMac(text: string, at: number, from: number, to: number): Hit | null {
  const start = at - 2;
  const end = start + 17;
  if (start < from || end > to || text.charCodeAt(at + 3) !== 45 || text.charCodeAt(at + 6) !== 45) return null;
  if (
    start > from &&
    (isWord(text.charCodeAt(start - 1)) || text.charCodeAt(start - 1) === 45 || text.charCodeAt(start - 1) === 95)
  )
    return null;
  if (end < to && (isWord(text.charCodeAt(end)) || text.charCodeAt(end) === 45 || text.charCodeAt(end) === 95))
    return null;
  const found = text.slice(start, end);
  return /^(?:[0-9a-fA-F]{2}-){5}[0-9a-fA-F]{2}$/.test(found) ? macHit(found, start, end) : null;
}

/** `0a1b.2c3d.4e5f` */
export const isDottedMac = (text: string): boolean => /^(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}$/i.test(text);

export function macHit(found: string, start: number, end: number): Hit | null {
  const compact = found.replace(/[^0-9a-fA-F]/g, "").toLowerCase();
  return /^(.)\1*$/.test(compact) ? null : { start, end, type: "MAC", rule: "mac", canonical: compact };
}

/** A mask, this host as the old protocol writes it, and where clouds serve their metadata. */
const MASK = /^(?:(?:ffff:){2}[f:0]*|::ffff:127\.[\d.]+|fd00:ec2::254)$/i;

function isIpv6(text: string): boolean {
  if (MASK.test(text)) return false;
  const gap = text.indexOf("::");
  if (gap !== -1 && text.indexOf("::", gap + 1) !== -1) return false;
  const groups = gap === -1 ? groupsOf(text) : [...groupsOf(text.slice(0, gap)), ...groupsOf(text.slice(gap + 2))];
  const hasIpv4 = groups.at(-1)?.includes(".") === true;
  // an IPv4 address at the end stands for two groups
  const count = groups.length + (hasIpv4 ? 1 : 0);
  if (hasIpv4 && !IPV4.test(groups.pop() ?? "")) return false;
  if (groups.some((group) => !/^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  if (gap === -1) return count === 8;
  return count < 8 && (hasIpv4 || count >= 4 || isShortened(text));
}

const groupsOf = (part: string): string[] => (part === "" ? [] : part.split(":"));

/** A short address with `::` in it: not `::`, `::1`, and what a language writes between names. */
const isShortened = (text: string): boolean =>
  /[0-9]/.test(text) && text.length >= 6 && /^[23f0]|^::[23f0-9]/i.test(text);

/** A colon between hexadecimal digits or colons: the cheap first look. */
function mayBeAddress(text: string, at: number, from: number, to: number): boolean {
  if (at + 2 >= to) return false;
  const after = text.charCodeAt(at + 1);
  if (after !== 58 && !isHex(after)) return false;
  return after === 58 || (at > from && isHex(text.charCodeAt(at - 1)));
}
