import { beginsAsMedia } from "@reenact/envelope";
import { type Change, unscanned } from "../scrub/change.ts";
import { plainChanges } from "../scrub/plain-changes.ts";
import type { ScanContext } from "../scrub/scan-context.ts";
import { NOWHERE } from "../names/field-context.ts";

const MEDIA_TYPE =
  /^(?:image|audio|video|font|model)\/|^application\/(?:pdf|zip|gzip|x-gzip|zstd|x-tar|wasm|vnd\.(?:openxmlformats|ms-|oasis)|msword|epub)/i;

/** Whether bytes, given as Latin-1, are media by their content type or their first bytes. */
export function isMediaBytes(octets: string, mime: string): boolean {
  return MEDIA_TYPE.test(mime) || beginsAsMedia(octets);
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
