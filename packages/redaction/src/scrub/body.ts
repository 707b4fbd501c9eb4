import type { ScrubHint } from "@reenact/capture";
import { VALUE_LINES_MIME, VALUE_MIME } from "@reenact/envelope";
import { type Change, unscanned } from "./change.ts";
import { wholly } from "./plain-changes.ts";
import { type ScanContext, leafChanges } from "./scan-context.ts";
import { below, type Nesting, ROOT, TOP } from "./nesting.ts";
import { eventDocuments, isMarkedLines, lineDocuments, markedDocuments } from "../structure/documents.ts";
import { frameChanges } from "../structure/event-frames.ts";
import { pairsChanges } from "../structure/form.ts";
import { jsonChanges } from "../structure/json.ts";
import { multipartChanges } from "../structure/multipart.ts";
import { isMediaBytes, octetChanges } from "../structure/octets.ts";
import { streamChanges } from "../structure/stream.ts";
import { valueLinesChanges } from "../structure/value-lines.ts";
import { valueChanges } from "../structure/value.ts";
import { narrowed, type WideText, wideText } from "../structure/wide.ts";

const JSON_TYPE = /^(?:application|text)\/(?:[\w.+-]*\+)?json\b/i;
const LINES_TYPE = /^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|jsonlines|json-lines|json-seq)\b/i;
const FRAMES_TYPE = /^application\/vnd\.amazon\.eventstream\b/i;
const OCTETS_TYPE = /^application\/octet-stream\b/i;

/**
 * Changes of a whole text, taken apart as its content type says; what does not parse is read as one plain leaf. Bytes
 * that are no text come as Latin-1, one unit a byte.
 */
export function bodyChanges(text: string, hint: ScrubHint, context: ScanContext): readonly Change[] {
  if (text.length === 0) return [];
  try {
    const mime = hint.mime?.trim() ?? "";
    const key = hint.key ?? "";
    const nest = context.paths === null ? TOP : ROOT;
    const wide = mayBeWide(text, mime) ? wideText(text, mime) : null;
    if (wide !== null) return wideChanges(text, wide, { ...hint, mime: mime.replace(CHARSET, "") }, context, nest);
    if (hint.as !== undefined) return wholly(text, hint.as, context, nest);
    // the name of a text is a path of the policy, whatever the text is taken apart into
    if (key !== "" && context.paths?.of(key) === "deny") return leafChanges(text, key, context, below(nest, key));
    return structureChanges(text, mime, context, nest) ?? leafChanges(text, key, context, below(nest, key));
  } catch {
    return [unscanned(0, text.length)];
  }
}

function structureChanges(text: string, mime: string, context: ScanContext, nest: Nesting): readonly Change[] | null {
  if (isEvents(text)) return streamChanges(text, eventDocuments(text), false, context, nest);
  if (isMarkedLines(text) && mayBeMarked(mime)) return streamChanges(text, markedDocuments(text), false, context, nest);
  return mime === "" ? null : byType(text, mime, context, nest);
}

/** Changes of a text of two bytes a character, and of its bytes: the mark of one may be there by chance. */
function wideChanges(
  text: string,
  wide: WideText,
  hint: ScrubHint,
  context: ScanContext,
  nest: Nesting,
): readonly Change[] {
  const found = narrowed(bodyChanges(wide.text, hint, context), wide);
  const bytes = leafChanges(text, hint.key ?? "", context, nest);
  return [...found, ...bytes.filter((one) => !found.some(({ start, end }) => start < one.end && one.start < end))].sort(
    (a, b) => a.start - b.start,
  );
}

const CHARSET = /;\s*charset="?utf-?16\w{0,2}"?/i;

/** The cheap first look: a content type that says so, a mark, or a zero among the first characters. */
const mayBeWide = (text: string, mime: string): boolean =>
  text.charCodeAt(0) === 0 || text.charCodeAt(1) === 0 || text.charCodeAt(0) >= 0xfe || CHARSET.test(mime);

/** Lines with a mark before their JSON come under the type of a plain text, or under none. */
const mayBeMarked = (mime: string): boolean => mime === "" || /^text\/(?:plain|x-)/i.test(mime);

function byType(text: string, mime: string, context: ScanContext, nest: Nesting): readonly Change[] | null {
  if (mime === VALUE_MIME) return valueChanges(text, context, nest) ?? jsonChanges(text, context, nest);
  if (mime === VALUE_LINES_MIME) return valueLinesChanges(text, context, nest);
  if (LINES_TYPE.test(mime)) return streamChanges(text, lineDocuments(text), true, context, nest);
  if (JSON_TYPE.test(mime)) {
    if (context.history === null) return jsonChanges(text, context, nest);
    return context.history.changes(text, mime, (part, cuts) => jsonChanges(part, context, nest, cuts));
  }
  if (/^text\/event-stream\b/i.test(mime)) return streamChanges(text, eventDocuments(text), false, context, nest);
  if (/^application\/x-www-form-urlencoded\b/i.test(mime)) return formChanges(text, context, nest);
  if (/^multipart\//i.test(mime)) return multipartChanges(text, mime, context, nest);
  if (FRAMES_TYPE.test(mime) && isBytes(text)) return frameChanges(text, context, nest);
  if (OCTETS_TYPE.test(mime) || isMediaBytes("", mime)) return isBytes(text) ? octetChanges(text, mime, context) : null;
  return null;
}

/** A program that sends JSON and names no type, as `curl -d` does, sends it as a form. */
function formChanges(text: string, context: ScanContext, nest: Nesting): readonly Change[] {
  const json = /^\s*[[{]/.test(text) ? jsonChanges(text, context, nest) : null;
  return json ?? pairsChanges(text, 0, text.length, context, nest);
}

/** Hosts send streams under any content type or none, and clients join their pieces all the same. */
function isEvents(text: string): boolean {
  return /^\uFEFF?\s*(?::|(?:data|event|id|retry):)/.test(text) && /(?:^|[\r\n])\uFEFF?data: ?[[{"]/.test(text);
}

function isBytes(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 255) return false;
  return true;
}
