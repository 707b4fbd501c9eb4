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
const LONGEST_V6 = 45;
/** of a hardware address, and of an IPv6 address without `::` */
const LEAST_COLONS = 5;
export const isHex = (unit: number): boolean =>
  isDigit(unit) || (unit >= 97 && unit <= 102) || (unit >= 65 && unit <= 70);

/** Four groups of digits with points between them that are an address. */
export function isIpv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}$/.test(text) && !UNSPECIFIC.test(text);
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
  let start = at;
  while (start > from && at - start < 4 && isHex(text.charCodeAt(start - 1))) start--;
  // a longer word is no group: the address may begin behind its colon
  if (start < at && start > from && isWord(text.charCodeAt(start - 1))) return { hit: null, end: at + 1 };
  if (start > from && text.charCodeAt(start - 1) === 58 && start === at) start--;
  let end = at;
  const limit = Math.min(to, start + LONGEST_V6 + 16);
  while (end < limit && (isHex(text.charCodeAt(end)) || text.charCodeAt(end) === 58 || text.charCodeAt(end) === 46))
    end++;
  const seen = end;
  while (end > at && text.charCodeAt(end - 1) === 46) end--;
  // `fe80::1: text`
  const isIntroduced = end - 1 > at && text.charCodeAt(end - 1) === 58 && text.charCodeAt(end - 2) !== 58;
  if (isIntroduced) end--;
  const result = (hit: Hit | null): { hit: Hit | null; end: number } => ({ hit, end: seen });
  const before = start > from ? text.charCodeAt(start - 1) : 32;
  const after = end < to ? text.charCodeAt(end) : 32;
  if (
    isWord(before) ||
    before === 95 ||
    (before === 58 && !isLabel(text, start - 1, from)) ||
    (before === 45 && !isDiffMark(text, start - 1)) ||
    before === 46 ||
    isWord(after) ||
    after === 95 ||
    (after === 58 && !isIntroduced)
  )
    return result(null);
  // times have colons too, but fewer, and no two of them side by side
  if (colonsOf(text, start, end) < LEAST_COLONS) return result(null);
  const found = text.slice(start, end);
  if (found.length > LONGEST_V6 || found.length < 3) return result(null);
  if (/^(?:[0-9a-fA-F]{2}:){5}(?:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}:)?[0-9a-fA-F]{2}$/.test(found))
    return result(macHit(found, start, end));
  // a network and its length, as `10.0.0.0/8` is one
  if (found.endsWith("::") && after === 47) return result(null);
  return result(isIpv6(found) ? { start, end, type: "IP", rule: "ip.v6", canonical: found.toLowerCase() } : null);
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
  const [head = "", tail] = gap === -1 ? [text] : [text.slice(0, gap), text.slice(gap + 2)];
  const groups = [
    ...(head === "" ? [] : head.split(":")),
    ...(tail === undefined || tail === "" ? [] : tail.split(":")),
  ];
  let count = groups.length;
  const last = groups.at(-1);
  if (last?.includes(".") === true) {
    if (!/^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.|$)){4}$/.test(last)) return false;
    groups.pop();
    count++;
  }
  if (groups.some((group) => !/^[0-9a-fA-F]{1,4}$/.test(group))) return false;
  if (gap === -1) return count === 8;
  // `::`, `::1`, and what a language writes between names
  return (
    count < 8 &&
    (last?.includes(".") === true ||
      (/[0-9]/.test(text) && text.length >= 6 && /^[23f0]|^::[23f0-9]/i.test(text)) ||
      count >= 4)
  );
}

/** A colon between hexadecimal digits or colons: the cheap first look. */
function mayBeAddress(text: string, at: number, from: number, to: number): boolean {
  if (at + 2 >= to) return false;
  const after = text.charCodeAt(at + 1);
  if (after !== 58 && !isHex(after)) return false;
  return after === 58 || (at > from && isHex(text.charCodeAt(at - 1)));
}
