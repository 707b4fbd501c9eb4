/** Text if these bytes are well-formed UTF-8, else a copy of them. */
export function textOrBytes(bytes: Buffer): string | Uint8Array {
  const text = bytes.toString("utf8");
  return text.includes("\uFFFD") && !Buffer.from(text, "utf8").equals(bytes) ? new Uint8Array(bytes) : text;
}
