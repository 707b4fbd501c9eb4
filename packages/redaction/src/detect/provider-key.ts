import type { Hit } from "../hit.ts";
import { type KeyFormat, PROVIDER_KEYS } from "../provider-keys.ts";
import { alphabet, DIGITS, isDigit, isWord, LOWER, runEnd, UPPER } from "./character.ts";

const ALPHABETS: Record<KeyFormat["alphabet"], Uint8Array> = {
  base62: alphabet(DIGITS + UPPER + LOWER),
  base64url: alphabet(`${DIGITS + UPPER + LOWER}-_`),
  base64: alphabet(`${DIGITS + UPPER + LOWER}+/=`),
  dotted: alphabet(`${DIGITS + UPPER + LOWER}-_.`),
  hex: alphabet(`${DIGITS}abcdefABCDEF`),
  base32: alphabet(`${UPPER}234567`),
};

/** Formats by their anchor character and the one before it; a longer prefix comes before a shorter one. */
const BY_ANCHOR: ReadonlyMap<number, readonly KeyFormat[]> = byAnchor();

/** Code units that a scan has to stop at to find provider keys. */
export const KEY_ANCHORS: ReadonlySet<number> = new Set(
  PROVIDER_KEYS.map((format) => format.prefix.charCodeAt(format.anchor)),
);

function pair(text: string, at: number): number {
  return text.charCodeAt(at) * 65536 + text.charCodeAt(at - 1);
}

function byAnchor(): Map<number, KeyFormat[]> {
  const out = new Map<number, KeyFormat[]>();
  for (const format of [...PROVIDER_KEYS].sort((a, b) => b.prefix.length - a.prefix.length)) {
    const key = pair(format.prefix, format.anchor);
    out.set(key, [...(out.get(key) ?? []), format]);
  }
  return out;
}

/** A key whose anchor character stands at `at`. */
export function providerKey(text: string, at: number, from: number, to: number): Hit | null {
  if (at === from) return null;
  const formats = BY_ANCHOR.get(pair(text, at));
  if (formats === undefined) return null;
  for (const format of formats) {
    const start = at - format.anchor;
    if (start < from || !text.startsWith(format.prefix, start)) continue;
    if (start > from && !mayStandBefore(text.charCodeAt(start - 1))) continue;
    const body = start + format.prefix.length;
    const [min, max] = format.length;
    let end = runEnd(text, body, Math.min(to, body + max + 1), ALPHABETS[format.alphabet]);
    while (end > body && (text[end - 1] === "." || text[end - 1] === "-")) end--;
    if (end - body < min || end - body > max) continue;
    if (end < to && isWord(text.charCodeAt(end))) continue;
    const value = text.slice(body, end);
    if (format.sample?.test(value) === true || !looksRandom(value)) continue;
    return { start, end, type: "KEY" };
  }
  return null;
}

/** A key stands alone, after a quote, `=`, `/` …; never inside a word or a slug. */
function mayStandBefore(unit: number): boolean {
  return !isWord(unit) && unit !== 45 && unit !== 43;
}

/** Placeholders repeat one letter, or are words with dashes between them. */
function looksRandom(value: string): boolean {
  const seen = new Set<number>();
  let digits = 0;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    seen.add(unit);
    if (isDigit(unit)) digits++;
  }
  if (seen.size < Math.min(8, value.length / 3)) return false;
  return digits > 0 || (value.length >= 30 && /[a-z]/.test(value) && /[A-Z]/.test(value));
}
