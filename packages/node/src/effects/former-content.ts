import { isUtf8 } from "node:buffer";
import type { Scrubber } from "@reenact/capture";
import { guarded, mayBeKept, recorder, type TokenValues, tokenValues } from "@reenact/capture/recorder";

/** Former contents that a run's vault may keep, by path as in the record. */
export interface FileOriginals {
  readonly run: string;
  readonly files: Record<string, string>;
  values: TokenValues;
}

/**
 * The redacted content of a file, as the record holds it. If redaction has changed a text, `keep` is called with both
 * versions. Empty if only another thread can redact it, since nothing waits here.
 */
export function redactedContent(
  content: Uint8Array,
  { scrubber }: { scrubber: Scrubber },
  keep: (redacted: string, raw: string) => void,
): { content?: string; base64?: string } {
  if (scrubber.answersLater === true) return {};
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (!isUtf8(bytes)) {
    const { text } = scrubber.scrub(bytes.toString("latin1"), { mime: "application/octet-stream" });
    return { base64: Buffer.from(text, "latin1").toString("base64") };
  }
  const raw = bytes.toString("utf8");
  const { text } = scrubber.scrub(raw, hintFor(raw));
  if (text !== raw) keep(text, raw);
  return { content: text };
}

const hintFor = (text: string): { mime?: string } => (/^\s*[[{]/.test(text) ? { mime: "application/json" } : {});

/** Adds the original of a redacted text to `originals`, except for the values that a vault never keeps. */
export function keepFile(originals: FileOriginals, path: string, redacted: string, raw: string): void {
  guarded("vault", undefined, () => {
    const { vault } = recorder;
    if (vault === null || !vault.takes(originals.run)) return;
    const kept = vault.scrubber.scrub(raw, hintFor(raw)).text;
    if (!mayBeKept(redacted, kept, vault)) return;
    originals.files[path] = kept;
    originals.values = { ...originals.values, ...tokenValues(redacted, kept, vault.keeps) };
  });
}

/** Writes the collected originals to the vault. */
export function keepFiles({ run, files, values }: FileOriginals): void {
  if (Object.keys(files).length > 0) guarded("vault", undefined, () => recorder.vault?.root(run, { files }, values));
}
