const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
/** Shorter texts are compared here: a call costs more. */
const SHORT = 24;
const MAX_KINDS = 64;

interface Known {
  readonly from: number;
  readonly length: number;
  readonly text: string;
}

/**
 * Texts that the spans before had at the same place: a span with a growing history repeats most of the one before it, and
 * comparing bytes is cheaper than decoding them, and equal texts are then one string. For spans that lie in one memory,
 * which must stay as it is meanwhile.
 */
export class KnownTexts {
  private readonly memory: Buffer;
  private readonly kinds = new Map<string, Known[]>();
  private known: Known[] = [];
  private at = 0;

  constructor(memory: ArrayBufferLike) {
    this.memory = Buffer.from(memory);
  }

  /** A span of this name comes: its texts are like those of the last one that had it. */
  begin(name: string): void {
    let known = this.kinds.get(name);
    if (!known) {
      known = [];
      if (this.kinds.size < MAX_KINDS) this.kinds.set(name, known);
    }
    this.known = known;
    this.at = 0;
  }

  /** UTF-8 of `bytes` between `from` and `end`; bytes of another memory are decoded and not kept. */
  text(bytes: Uint8Array, from: number, end: number): string {
    if (bytes.buffer !== this.memory.buffer) return utf8.decode(bytes.subarray(from, end));
    const place = this.at++;
    const begin = bytes.byteOffset + from;
    const length = end - from;
    const before = this.known[place];
    if (before?.length === length && this.equal(before.from, begin, length)) return before.text;
    const text = utf8.decode(bytes.subarray(from, end));
    this.known[place] = { from: begin, length, text };
    return text;
  }

  private equal(a: number, b: number, length: number): boolean {
    const { memory } = this;
    if (length > SHORT) return memory.compare(memory, b, b + length, a, a + length) === 0;
    for (let n = length - 1; n >= 0; n--) if (memory[a + n] !== memory[b + n]) return false;
    return true;
  }
}
