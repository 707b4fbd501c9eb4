/** Percent-encodes what separates: `/ | # %`. */
export function discriminator(text: string): string {
  return text.replace(/[/|#%]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`);
}

export function join(path: string, segment: string): string {
  return path === "" ? segment : `${path}/${segment}`;
}

/** Occurrence counters of one run: siblings that share path and operation are told apart by these. */
export class Occurrences {
  readonly #counts = new Map<string, number>();

  /** Synchronously when the call is made, before any await. */
  next(path: string, op: string): number {
    const key = `${path} ${op}`;
    const n = this.#counts.get(key) ?? 0;
    this.#counts.set(key, n + 1);
    return n;
  }
}
