import { createHash } from "node:crypto";
import { findTokens } from "@reenact/envelope";

/** Text of this many characters is kept by default, as whole lines. */
const KEPT = 16 * 1024;
/** Lines behind it of which only a digest is kept; of further ones nothing is. */
export const MOST_DIGESTS = 2000;
const DIGITS = 8;
/** A longer line counts as several. */
const LONGEST = 64 * 1024;

/** The first lines of a redacted text, whole, and short digests of the lines behind them. Bounded. */
export class KeptLines {
  readonly #budget: number;
  readonly #lines: string[] = [];
  #used = 0;
  #digests = "";
  #open = "";

  constructor(budget: number = KEPT) {
    this.#budget = budget;
  }

  /** A piece of redacted text: one line with its end, several of them, or a part of a line. */
  add(text: string): void {
    const pieces = (this.#open + text).split("\n");
    this.#open = pieces.pop() as string;
    for (const piece of pieces) this.#take(piece);
    if (this.#open.length < LONGEST) return;
    this.#take(this.#open);
    this.#open = "";
  }

  end(): { lines: string[]; more?: string } {
    if (this.#open !== "") this.#take(this.#open);
    this.#open = "";
    return { lines: this.#lines, ...(this.#digests !== "" && { more: this.#digests }) };
  }

  #take(line: string): void {
    // what follows a line that did not fit is known by digests alone, so that the numbers of lines stay right
    if (this.#digests === "" && this.#used + line.length + 1 <= this.#budget) {
      this.#used += line.length + 1;
      this.#lines.push(line);
    } else if (this.#digests.length < MOST_DIGESTS * DIGITS) this.#digests += lineDigest(line);
  }
}

/** Digest of a redacted line in which every token counts by its type alone: eight hexadecimal digits. */
export function lineDigest(line: string): string {
  const hash = createHash("sha256");
  let from = 0;
  for (const { start, end, type } of findTokens(line)) {
    hash.update(line.slice(from, start)).update(`\0${type}\0`);
    from = end;
  }
  return hash.update(line.slice(from)).digest("hex").slice(0, DIGITS);
}
