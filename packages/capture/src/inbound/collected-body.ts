/** Bytes of one body that are kept. */
const MOST_BYTES = 16 * 1024 * 1024;
/** The same of a request that has taken no agentic step yet: most never do. */
const MOST_BYTES_INACTIVE = 1024 * 1024;

/** A copy of a body that goes by, up to a limit. What is beyond it is counted and not kept. */
export class CollectedBody {
  readonly #chunks: Uint8Array[] = [];
  readonly #isActive: () => boolean;
  #kept = 0;
  /** of the whole body, kept or not */
  length = 0;

  constructor(isActive: () => boolean) {
    this.#isActive = isActive;
  }

  /** Takes a chunk as a stream takes it. The bytes are copied: their owner may use them again. */
  add(chunk: unknown, encoding?: unknown): void {
    const bytes = bytesOf(chunk, encoding);
    if (bytes === null || bytes.length === 0) return;
    const isWhole = this.isWhole;
    this.length += bytes.length;
    if (!isWhole || this.#kept + bytes.length > (this.#isActive() ? MOST_BYTES : MOST_BYTES_INACTIVE)) return;
    this.#kept += bytes.length;
    this.#chunks.push(bytes);
  }

  /** Whether all bytes were kept. */
  get isWhole(): boolean {
    return this.#kept === this.length;
  }

  /** The bytes that were kept: the whole body, or its beginning. */
  get bytes(): Uint8Array {
    return Buffer.concat(this.#chunks);
  }
}

function bytesOf(chunk: unknown, encoding: unknown): Uint8Array | null {
  if (typeof chunk === "string")
    return Buffer.from(chunk, typeof encoding === "string" ? (encoding as BufferEncoding) : "utf8");
  return chunk instanceof Uint8Array ? Buffer.from(chunk) : null;
}
