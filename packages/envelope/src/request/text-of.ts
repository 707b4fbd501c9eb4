const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of UTF-8 bytes, BOM kept; null unless it encodes back to the very same bytes. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    // A fatal decode accepts exactly the well-formed sequences, each of which has one encoding: it encodes back.
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}
