/** Names things by what they have in common: a second one of the same pattern by its number, in the order in which they were begun. */
export class NumberedNames {
  readonly #names = new WeakMap<object, string>();
  readonly #counts = new Map<string, number>();

  /** The same name each time for the same thing. */
  nameOf(thing: object, pattern: string): string {
    const known = this.#names.get(thing);
    if (known !== undefined) return known;
    const number = (this.#counts.get(pattern) ?? 0) + 1;
    const name = number === 1 ? pattern : `${pattern} #${number}`;
    this.#counts.set(pattern, number);
    this.#names.set(thing, name);
    return name;
  }
}
