import { textOf } from "@reenact/envelope";

/** Its lengths and checksums are bytes even where they look like text. */
const FRAMES = /^application\/vnd\.amazon\.eventstream\b/i;
const PRELUDE = 12;
const CRC = 4;

export function isFramed(mime: string): boolean {
  return FRAMES.test(mime);
}

/**
 * The messages of an `application/vnd.amazon.eventstream` as server-sent events, for people and providers: the name is
 * the message's type. A message that is cut off is left out.
 */
export function eventStreamText(bytes: Uint8Array): string {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out: string[] = [];
  for (let at = 0; all.length - at >= PRELUDE + CRC;) {
    const total = all.readUInt32BE(at);
    const payload = PRELUDE + all.readUInt32BE(at + 4);
    if (total < payload + CRC || at + total > all.length) break;
    const headers = all.subarray(at + PRELUDE, at + payload);
    const name = headerOf(headers, ":event-type") || headerOf(headers, ":exception-type");
    const data = textOf(all.subarray(at + payload, at + total - CRC)) ?? "";
    out.push(`event: ${name}\ndata: ${data.replaceAll("\n", "\ndata: ")}\n\n`);
    at += total;
  }
  return out.join("");
}

/** Text of a header: behind its name a type byte 7, two bytes of length, the text. */
function headerOf(headers: Buffer, name: string): string {
  const at = headers.indexOf(`${name}\x07`, 0, "latin1");
  const from = at + name.length + 3;
  if (at === -1 || from > headers.length) return "";
  return headers.toString("utf8", from, from + headers.readUInt16BE(from - 2)).replace(/[\r\n]/g, " ");
}
