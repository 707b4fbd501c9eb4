/** Characters that are looked at one by one before the next quote or backslash is searched for. */
const NEAR = 16;
const [QUOTE, BACKSLASH] = [34, 92];

/** Finds where string literals end, by asking for the next quote and the next backslash at most once each. */
export class LiteralEnds {
  readonly #text: string;
  readonly #to: number;
  #quote = -1;
  #slash = -1;
  /** whether the literal found last holds escapes */
  escaped = false;

  constructor(text: string, to: number) {
    this.#text = text;
    this.#to = to;
  }

  /** Offset of the closing quote of the literal whose content begins at `start`; -1: it has none. */
  after(start: number): number {
    const text = this.#text;
    const to = this.#to;
    this.escaped = false;
    let from = start;
    while (true) {
      // names are short, and escapes stand close together
      for (let near = Math.min(from + NEAR, to); from < near;) {
        const unit = text.charCodeAt(from);
        if (unit === QUOTE) return from;
        if (unit === BACKSLASH) {
          this.escaped = true;
          from += 2;
          near = Math.min(from + NEAR, to);
        } else from++;
      }
      if (this.#quote < from) this.#quote = text.indexOf('"', from);
      if (this.#quote === -1 || this.#quote >= to) return -1;
      if (this.#slash < from) {
        this.#slash = text.indexOf("\\", from);
        if (this.#slash === -1) this.#slash = Number.MAX_SAFE_INTEGER;
      }
      if (this.#slash > this.#quote) return this.#quote;
      this.escaped = true;
      from = this.#slash + 2;
    }
  }
}
