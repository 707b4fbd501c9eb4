import { type Change, unscanned } from "../scrub/change.ts";
import { plainChanges } from "../scrub/plain-changes.ts";
import type { ScanContext } from "../scrub/scan-context.ts";
import { NOWHERE } from "../names/field-context.ts";

const MEDIA_TYPE =
  /^(?:image|audio|video|font|model)\/|^application\/(?:pdf|zip|gzip|x-gzip|zstd|x-tar|wasm|vnd\.(?:openxmlformats|ms-|oasis)|msword|epub)/i;
/** First bytes of pictures, sound, films, PDFs and archives, as Latin-1. */
// oxlint-disable-next-line no-control-regex
const MAGIC =
  /^(?:\x89PNG|\xff\xd8\xff|GIF8[79]a|BM[^]{4}\0\0\0\0|II\*\0|MM\0\*|%PDF-|ID3[\0-\x08]|\xff[\xf1-\xfb]|OggS\0|fLaC\0|PK\x03\x04|\x1f\x8b|\x28\xb5\x2f\xfd|\0asm|\x1aE\xdf\xa3|wOF[F2]|\0\0\x01\0|RIFF[^]{4}(?:WAVE|WEBP|AVI )|[^]{4}ftyp)/;

/** Whether bytes, given as Latin-1, are media by their content type or their first bytes. */
export function isMediaBytes(octets: string, mime: string): boolean {
  return MEDIA_TYPE.test(mime) || MAGIC.test(octets);
}

/** Changes in bytes that are no text, given as Latin-1. Media stay, and are not claimed to be scanned. */
export function octetChanges(octets: string, mime: string, context: ScanContext): readonly Change[] {
  if (octets.length === 0) return [];
  if (isMediaBytes(octets, mime)) return context.media === "drop" ? [droppedMedia(octets.length)] : [];
  if (octets.length > context.cap) return [unscanned(0, octets.length)];
  context.checkTime(octets.length);
  return plainChanges(octets, 0, octets.length, NOWHERE, context, null);
}

/** Stands for media that a policy leaves out. */
export function droppedMedia(length: number): Change {
  return { ...unscanned(0, length), type: "MEDIA" };
}
