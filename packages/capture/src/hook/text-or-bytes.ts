/** Text if these bytes are well-formed UTF-8, else a copy of them. */
export function textOrBytes(bytes: Buffer): string | Uint8Array {
  const text = bytes.toString("utf8");
  return text.includes("\uFFFD") && !Buffer.from(text, "utf8").equals(bytes) ? new Uint8Array(bytes) : text;
}

/** As `textOrBytes`; what holds a zero byte is no text, whose encoding would be six times as long. */
export function printableOrBytes(bytes: Buffer): string | Uint8Array {
  return bytes.includes(0) ? new Uint8Array(bytes) : textOrBytes(bytes);
}
