import type { Change } from "../scrub/change.ts";
import { plainChanges } from "../scrub/plain-changes.ts";
import type { ScanContext } from "../scrub/scan-context.ts";
import type { Nesting } from "../scrub/nesting.ts";
import { NOWHERE } from "../names/field-context.ts";
import { pairsChanges } from "./form.ts";
import { encodedChanges } from "./percent.ts";

const URL_SHAPE = /^[A-Za-z][A-Za-z0-9+.-]{1,20}:\/\/[^\s"'<>]+$/;
/** A request's target: a path with a query. */
const TARGET_SHAPE = /^\/[^\s"'<>?]*\?[^\s"'<>]*=[^\s"'<>]*$/;
const LONGEST = 64 * 1024;

/** Whether a whole leaf is one URL. */
export function looksLikeUrl(text: string): boolean {
  if (text.length > LONGEST) return false;
  return text.startsWith("/") ? TARGET_SHAPE.test(text) : text.indexOf("://") > 0 && URL_SHAPE.test(text);
}

/** Changes in a URL: user info and host as they stand, path segments and query values decoded one by one. */
export function urlChanges(url: string, context: ScanContext, nest: Nesting): Change[] | null {
  const authority = url.startsWith("/") ? 0 : url.indexOf("://") + 3;
  const path = firstOf(url, authority, "/?#");
  const hash = firstOf(url, path, "#");
  const query = Math.min(firstOf(url, path, "?"), hash);
  // the secret of a webhook is spread over segments
  const out = plainChanges(url, 0, query, NOWHERE, context, nest.path).filter(
    (change) => change.end <= path || (change.type === "KEY" && url.slice(change.start, change.end).includes("/")),
  );
  // WhatsApp's links to a person
  const name = /^https?:\/\/wa\.me\//.test(url) ? "phone" : "";
  const across = out.filter((change) => change.end > path);
  for (let start = path; start < query;) {
    const slash = url.indexOf("/", start);
    const end = slash === -1 || slash > query ? query : slash;
    const taken = across.some((change) => start < change.end && end > change.start);
    if (!taken) out.push(...encodedChanges(url, start, end, name, false, context, nest));
    start = end + 1;
  }
  if (query < hash) out.push(...pairsChanges(url, query + 1, hash, context, nest));
  if (hash < url.length) out.push(...pairsChanges(url, hash + 1, url.length, context, nest));
  return out;
}

function firstOf(text: string, from: number, characters: string): number {
  for (let at = from; at < text.length; at++) if (characters.includes(text.charAt(at))) return at;
  return text.length;
}
