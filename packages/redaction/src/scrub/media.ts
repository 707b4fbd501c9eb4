import type { Hit } from "../scan/hit.ts";

const SHORTEST = 256;
const SHORTEST_SEALED = 16;
/** Names under which wire formats carry base64 of pictures, sound, files or vectors. */
const MEDIA_NAMES = new Set([
  "data",
  "b64_json",
  "file_data",
  "image_url",
  "url",
  "audio",
  "base64",
  "bytes",
  "embedding",
  "blob",
  "delta",
  "result",
  "partial_image_b64",
  "image",
  "image_data",
]);
/** Sealed reasoning: it must come back to the provider as it was, whatever it looks like. */
const SEALED_NAMES = new Set([
  "signature",
  "encrypted_content",
  "thoughtSignature",
  "thought_signature",
  "encrypted_stdout",
]);
const BASE64 = /^[A-Za-z0-9+/_-]+={0,3}$/;
const DATA_URL = /^data:[A-Za-z0-9.+/;=_-]{0,200};base64,/;
const MARK = ";base64,";
const RUN = /[A-Za-z0-9+/_=-]*/y;

/** Names under which base64 may be media, or sealed. */
export const isMediaName = (name: string): boolean => MEDIA_NAMES.has(name) || SEALED_NAMES.has(name);

/**
 * Whether a whole leaf is base64 of something that is not text: by name and shape together, since a name alone
 * would let a plain value through; or a `data:` URL.
 */
export function isMedia(key: string, leaf: string): boolean {
  if (leaf.length < SHORTEST_SEALED) return false;
  if (SEALED_NAMES.has(key)) return BASE64.test(leaf);
  if (leaf.length < SHORTEST) return false;
  if (leaf.startsWith("data:")) {
    const mark = DATA_URL.exec(leaf)?.[0].length;
    return mark !== undefined && BASE64.test(leaf.slice(mark));
  }
  if (!MEDIA_NAMES.has(key) || leaf.startsWith("ops_") || !BASE64.test(leaf)) return false;
  return /[a-z]/.test(leaf) && /[A-Z]/.test(leaf) && /[0-9]/.test(leaf);
}

/** Drops hits inside the base64 of `data:` URLs. Offsets of hits count from `offset` before the leaf. */
export function withoutMedia(leaf: string, offset: number, hits: Hit[]): Hit[] {
  if (hits.length === 0) return hits;
  const areas: [number, number][] = [];
  for (let mark = leaf.indexOf(MARK); mark !== -1; mark = leaf.indexOf(MARK, mark + MARK.length)) {
    RUN.lastIndex = mark + MARK.length;
    RUN.test(leaf);
    areas.push([mark + MARK.length + offset, RUN.lastIndex + offset]);
  }
  if (areas.length === 0) return hits;
  let next = 0;
  return hits.filter((hit) => {
    while ((areas[next]?.[1] ?? Infinity) <= hit.start) next++;
    const area = areas[next];
    return area === undefined || area[0] > hit.start || area[1] < hit.end;
  });
}
