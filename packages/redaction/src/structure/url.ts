import type { Change } from "../change.ts";
import { type Ground, plainChanges } from "../leaf.ts";
import { pairsChanges } from "./form.ts";
import { encodedChanges } from "./percent.ts";

const URL_SHAPE = /^[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s"'<>]+$/;
const LONGEST = 64 * 1024;

/** Whether a whole leaf is one URL. */
export function looksLikeUrl(text: string): boolean {
  return text.length <= LONGEST && text.indexOf("://") > 0 && URL_SHAPE.test(text);
}

/** Changes in a URL: user info and host as they stand, path segments and query values decoded one by one. */
export function urlChanges(url: string, ground: Ground): Change[] | null {
  const authority = url.indexOf("://") + 3;
  const path = firstOf(url, authority, "/?#");
  const hash = firstOf(url, path, "#");
  const query = Math.min(firstOf(url, path, "?"), hash);
  const out = [...plainChanges(url, 0, path, false, ground)];
  for (let start = path; start < query;) {
    const slash = url.indexOf("/", start);
    const end = slash === -1 || slash > query ? query : slash;
    out.push(...encodedChanges(url, start, end, "", false, ground));
    start = end + 1;
  }
  if (query < hash) out.push(...pairsChanges(url, query + 1, hash, ground));
  if (hash < url.length) out.push(...pairsChanges(url, hash + 1, url.length, ground));
  return out;
}

function firstOf(text: string, from: number, characters: string): number {
  for (let at = from; at < text.length; at++) if (characters.includes(text[at] as string)) return at;
  return text.length;
}
