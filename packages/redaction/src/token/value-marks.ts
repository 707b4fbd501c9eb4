import type { ScrubHint } from "@reenact/capture";
import type { Change } from "../scrub/change.ts";
import { decodeLiteral } from "../structure/literal.ts";
import { decodePercent } from "../structure/percent.ts";

/** Letters for a value as it was written, made with the key. */
export type Mark = (written: string) => string;

/** Types that stand for no value, or for one that is compared elsewhere. */
const UNMARKED: ReadonlySet<string> = new Set(["UNSCANNED", "MEDIA", "DIGEST"]);
/** What replaces a value so that nothing of it is left, not even whether it is the same. */
const NOTHING_LEFT = /^(?:|0|false|[A-Z][A-Z_]*_MASKED)$/;
const NUMBER = /^-?\d+$/;
const FORM = /^application\/x-www-form-urlencoded\b/i;

/**
 * The mark of each change, null for one without. A number is replaced by digits alone, so its mark is all that tells it from another one:
 * it has a `#` in front. Escapes of JSON, of URLs and of forms are no part of a spelling.
 */
export function marksOf(
  text: string,
  { key, mime = "" }: ScrubHint,
  changes: readonly Change[],
  mark: Mark,
): readonly (string | null)[] {
  const isEncoded = key === "url" || FORM.test(mime);
  return changes.map(({ start, end, type, with: put }) => {
    if (type === null || UNMARKED.has(type) || NOTHING_LEFT.test(put)) return null;
    const raw = text.slice(start, end);
    const plain = raw.includes("\\") ? (decodeLiteral(raw) ?? raw) : raw;
    const written = isEncoded ? (decodePercent(plain, true) ?? plain) : plain;
    return `${NUMBER.test(put) ? "#" : ""}${mark(written)}`;
  });
}
