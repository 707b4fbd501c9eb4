import type { Context } from "hono";
import { stream } from "hono/streaming";
import { ApiError } from "./api-error.ts";
import { byteRange } from "./byte-range.ts";
import { isInline, mediaType } from "./media-type.ts";
import type { SpanPart } from "./span-parts.ts";

const PIECE = 256 * 1024;

/** Content security policy of a payload that is opened as a page: it may do nothing. */
const SANDBOX = "default-src 'none'; sandbox; frame-ancestors 'none'";

/** Its bytes or a range of them, piece by piece. `digest` is that of the part. Throws `BAD_RANGE`. */
export function servePart(ask: Context, part: SpanPart, digest: string): Response {
  const { value } = part;
  const bytes = typeof value === "string" ? Buffer.from(value) : value;
  const type = mediaType(part.claimed, typeof value === "string");
  const etag = `"${digest}"`;
  ask.header("etag", etag);
  ask.header("cache-control", "private, no-cache");
  ask.header("x-content-type-options", "nosniff");
  ask.header("content-security-policy", SANDBOX);
  if (matchesTag(ask.req.header("if-none-match"), etag)) return ask.body(null, 304);
  const condition = ask.req.header("if-range");
  const wanted = condition === undefined || condition.trim() === etag ? ask.req.header("range") : undefined;
  const range = byteRange(wanted, bytes.length);
  if (range === "bad") {
    ask.header("content-range", `bytes */${bytes.length}`);
    throw new ApiError("BAD_RANGE", `the part has ${bytes.length} bytes`);
  }
  const { offset, length } = range ?? { offset: 0, length: bytes.length };
  ask.header("content-type", type);
  ask.header("content-length", String(length));
  ask.header("accept-ranges", "bytes");
  ask.header("content-disposition", isInline(type) ? "inline" : `attachment; filename="${digest.slice(0, 16)}.bin"`);
  if (range) ask.header("content-range", `bytes ${offset}-${offset + length - 1}/${bytes.length}`);
  ask.status(range ? 206 : 200);
  return stream(ask, async (out) => {
    for (let at = offset; at < offset + length && !out.aborted; at += PIECE)
      await out.write(bytes.subarray(at, Math.min(at + PIECE, offset + length)));
  });
}

function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  return header.split(",").some((each) => ["*", etag].includes(each.trim().replace(/^W\//, "")));
}
