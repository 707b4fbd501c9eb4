import { findTokens } from "@reenact/envelope";

/**
 * Places of steps for matching: detected values in names of tools and branches are numbered by first appearance in
 * the run, on both sides, since a replay has another redaction key.
 */
export class SlotPlaces {
  readonly #numbers = new Map<string, string>();

  key(path: string, op: string): string {
    return `${this.#number(path)} ${this.#number(op)}`;
  }

  #number(text: string): string {
    const tokens = findTokens(text);
    if (tokens.length === 0) return text;
    let out = "";
    let from = 0;
    for (const { start, end, type, token } of tokens) {
      const name = this.#numbers.get(token) ?? `${type}#${this.#numbers.size + 1}`;
      this.#numbers.set(token, name);
      out += text.slice(from, start) + name;
      from = end;
    }
    return out + text.slice(from);
  }
}
