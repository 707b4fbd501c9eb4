import zlib, {
  brotliCompressSync,
  brotliDecompressSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateSync,
} from "node:zlib";

/** A body that grows beyond this is not scanned, and so not kept. */
const MAX_INFLATED = 64 * 1024 * 1024;

const CODECS: Record<string, { decode(b: Uint8Array): Uint8Array; encode(b: Uint8Array): Uint8Array }> = {
  gzip: { decode: (b) => gunzipSync(b, { maxOutputLength: MAX_INFLATED }), encode: (b) => gzipSync(b) },
  "x-gzip": { decode: (b) => gunzipSync(b, { maxOutputLength: MAX_INFLATED }), encode: (b) => gzipSync(b) },
  deflate: { decode: (b) => inflateSync(b, { maxOutputLength: MAX_INFLATED }), encode: (b) => deflateSync(b) },
  br: {
    decode: (b) => brotliDecompressSync(b, { maxOutputLength: MAX_INFLATED }),
    encode: (b) => brotliCompressSync(b),
  },
};

// Node has it from 22.15 on
if (typeof zlib.zstdDecompressSync === "function")
  CODECS["zstd"] = {
    decode: (b) => zlib.zstdDecompressSync(b, { maxOutputLength: MAX_INFLATED }),
    encode: (b) => zlib.zstdCompressSync(b),
  };

/** The plain bytes of a `content-encoding`; null for one that is unknown, damaged or too large. */
export function decodeContent(bytes: Uint8Array, encoding: string): Uint8Array | null {
  try {
    return CODECS[encoding.toLowerCase()]?.decode(bytes) ?? null;
  } catch {
    return null;
  }
}

/** Throws for an encoding that `decodeContent` does not know. */
export function encodeContent(bytes: Uint8Array, encoding: string): Uint8Array {
  const codec = CODECS[encoding.toLowerCase()];
  if (codec === undefined) throw new Error(`content encoding ${encoding} is not known`);
  return codec.encode(bytes);
}

/** The `content-encoding` of a request body, where it is one that can be decoded; else null. */
export function requestEncoding(headers: ReadonlyArray<readonly [string, string]>): string | null {
  const value =
    headers
      .find(([name]) => name.toLowerCase() === "content-encoding")?.[1]
      ?.trim()
      .toLowerCase() ?? "";
  return Object.hasOwn(CODECS, value) ? value : null;
}

/** The encoding in which a transport has delivered a body: `fetch` has decoded it already. */
export function deliveredEncoding(
  via: "fetch" | "http",
  headers: ReadonlyArray<readonly [string, string]>,
): string | null {
  if (via === "fetch") return null;
  const value = headers.find(([name]) => name.toLowerCase() === "content-encoding")?.[1]?.trim() ?? "";
  return value === "" || value.toLowerCase() === "identity" ? null : value;
}
