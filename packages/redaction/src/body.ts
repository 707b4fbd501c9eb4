import type { ScrubHint } from "@reenact/capture";
import { type Change, unscanned } from "./change.ts";
import { type Ground, leafChanges } from "./leaf.ts";
import { eventDocuments, lineDocuments } from "./structure/documents.ts";
import { pairsChanges } from "./structure/form.ts";
import { jsonChanges } from "./structure/json.ts";
import { multipartChanges } from "./structure/multipart.ts";
import { streamChanges } from "./structure/stream.ts";

const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]*\+)?json\b/i;
const LINES_TYPE = /^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|json-seq)\b/i;

/** Changes of a whole text, taken apart as its content type says; what does not parse is read as one plain leaf. */
export function bodyChanges(text: string, hint: ScrubHint, ground: Ground): readonly Change[] {
  if (text.length === 0) return [];
  try {
    const mime = hint.mime?.trim() ?? "";
    const structured = mime === "" ? null : byType(text, mime, ground);
    return structured ?? leafChanges(text, hint.key ?? "", ground);
  } catch {
    return [unscanned(0, text.length)];
  }
}

function byType(text: string, mime: string, ground: Ground): readonly Change[] | null {
  if (LINES_TYPE.test(mime)) return streamChanges(text, lineDocuments(text), true, ground);
  if (JSON_TYPE.test(mime)) return jsonChanges(text, ground, 0);
  if (/^text\/event-stream\b/i.test(mime)) return streamChanges(text, eventDocuments(text), false, ground);
  if (/^application\/x-www-form-urlencoded\b/i.test(mime)) return pairsChanges(text, 0, text.length, ground);
  if (/^multipart\//i.test(mime)) return multipartChanges(text, mime, ground);
  return null;
}
