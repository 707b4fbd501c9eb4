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
    this.escaped = false;
    let from = start;
    while (true) {
      if (this.#quote < from) this.#quote = this.#text.indexOf('"', from);
      if (this.#quote === -1 || this.#quote >= this.#to) return -1;
      if (this.#slash < from) {
        this.#slash = this.#text.indexOf("\\", from);
        if (this.#slash === -1) this.#slash = Number.MAX_SAFE_INTEGER;
      }
      if (this.#slash > this.#quote) return this.#quote;
      this.escaped = true;
      from = this.#slash + 2;
    }
  }
}
