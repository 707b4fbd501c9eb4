/** Headers that are digests of a body as a whole, whatever they look like. */
const DIGESTS = new Set(["content-md5", "x-amz-content-sha256", "x-ms-content-sha256", "x-ms-blob-content-md5"]);
/** Lists of digests by algorithm: `sha-256=…`, `sha-256=:…:`. */
const LISTS = new Set(["digest", "content-digest", "repr-digest", "x-goog-hash"]);
/** Tags of a body, and what asks for one by its tag. */
const TAGS = new Set(["etag", "if-match", "if-none-match", "if-range"]);
/** Other names that say of what algorithm a value is; the value must look like it. */
const NAMED = /(?:^|-)(?:md5|sha-?\d{1,3}|crc-?(?:32c?|64(?:nvme)?)|checksum|digest|hash)(?:-|$)/;
/** Says that no digest was made, or that one follows. */
const CONSTANT = /^(?:UNSIGNED-PAYLOAD|STREAMING-[A-Z0-9-]+)(?:-TRAILER)?$/;
const HEX = /^[0-9a-f]+$/i;
const HEX_LENGTHS = new Set([8, 16, 32, 40, 48, 56, 64, 96, 128]);
const BASE64 = /^[A-Za-z0-9+/]{6,86}={0,2}$/;
const BYTES = new Set([4, 8, 16, 20, 24, 28, 32, 48, 64]);

/**
 * The value of a header with each digest of a body replaced by what `put` makes of it; null: the header holds none.
 * Guesses can be tested against a digest, so none of a body that was redacted may leave. Algorithms, quotes and marks
 * of weak tags stay.
 */
export function digestHeader(name: string, value: string, put: (digest: string) => string): string | null {
  const lower = name.toLowerCase();
  const out = replaced(lower, value, (digest) => (digest === "" || CONSTANT.test(digest) ? digest : put(digest)));
  return out === value ? null : out;
}

function replaced(name: string, value: string, put: (digest: string) => string): string {
  if (LISTS.has(name))
    return value.replace(
      /([A-Za-z0-9-]{1,32})=(:?)([^,;\s]*?)\2(?=[,;\s]|$)/g,
      (_, algorithm: string, mark: string, digest: string) => `${algorithm}=${mark}${put(digest)}${mark}`,
    );
  if (TAGS.has(name))
    return /"/.test(value)
      ? value.replace(/"([^"]*)"/g, (_, tag: string) => `"${put(tag)}"`)
      : value === "*"
        ? value
        : put(value);
  if (DIGESTS.has(name)) return put(value.trim());
  return NAMED.test(name) && isDigest(value.trim()) ? put(value.trim()) : value;
}

function isDigest(value: string): boolean {
  if (HEX.test(value) && HEX_LENGTHS.has(value.length)) return true;
  return BASE64.test(value) && BYTES.has(Buffer.from(value, "base64").length);
}

/** Whether a header asks for a body by its tag: the tag is that of a body of another exchange. */
export const asksByTag = (name: string): boolean => /^if-(?:none-)?(?:match|range)$/i.test(name);
