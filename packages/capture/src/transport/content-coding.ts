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

interface Codec {
  /** Throws for damaged bytes, and with ERR_BUFFER_TOO_LARGE where more than `most` bytes come out. */
  decode(bytes: Uint8Array, most: number): Uint8Array;
  encode(bytes: Uint8Array): Uint8Array;
}

const gzip: Codec = {
  decode: (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
  encode: (bytes) => gzipSync(bytes),
};

const CODECS: Record<string, Codec> = {
  gzip,
  "x-gzip": gzip,
  deflate: {
    decode: (bytes, maxOutputLength) => inflateSync(bytes, { maxOutputLength }),
    encode: (bytes) => deflateSync(bytes),
  },
  br: {
    decode: (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength }),
    encode: (bytes) => brotliCompressSync(bytes),
  },
};

// Node has it from 22.15 on
if (typeof zlib.zstdDecompressSync === "function")
  CODECS["zstd"] = {
    decode: (bytes, maxOutputLength) => zlib.zstdDecompressSync(bytes, { maxOutputLength }),
    encode: (bytes) => zlib.zstdCompressSync(bytes),
  };

/** The plain bytes of a `content-encoding`; null for one that is unknown, damaged or too large. */
export function decodeContent(bytes: Uint8Array, encoding: string): Uint8Array | null {
  try {
    return CODECS[encoding.toLowerCase()]?.decode(bytes, MAX_INFLATED) ?? null;
  } catch {
    return null;
  }
}

/**
 * How many bytes `decodeContent` gives; Infinity if they are more than `most`, which is found out without making them. Bytes that it
 * cannot decode count as they are.
 */
export function decodedLength(bytes: Uint8Array, encoding: string, most: number): number {
  if (bytes.length > most) return Infinity;
  try {
    return CODECS[encoding.toLowerCase()]?.decode(bytes, most).length ?? bytes.length;
  } catch (error) {
    return error instanceof RangeError && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE"
      ? Infinity
      : bytes.length;
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
  via: "fetch" | "http" | "http2",
  headers: ReadonlyArray<readonly [string, string]>,
): string | null {
  if (via === "fetch") return null;
  const value = headers.find(([name]) => name.toLowerCase() === "content-encoding")?.[1]?.trim() ?? "";
  return value === "" || value.toLowerCase() === "identity" ? null : value;
}
