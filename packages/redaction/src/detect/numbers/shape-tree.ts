import { kindOf, MIXED, type Phrase, SEPARATOR } from "./phrase.ts";

const OF_SIGN: Record<string, number> = {
  " ": SEPARATOR.space,
  "-": SEPARATOR.dash,
  ".": SEPARATOR.point,
  "/": SEPARATOR.slash,
};
const GROUP = /([dx])(\d+)([ \-./]?)/g;

/** Forms of numbers (`d3-d2-d4`: digits, `x9`: letters too) as a tree, so that a phrase is matched with all at once. */
export class ShapeTree<T> {
  /** next node by node, separator and kind of group; 0: none */
  #edges = new Uint16Array(EDGES);
  readonly #leaves: T[][] = [[]];

  add(shape: string, leaf: T): void {
    let node = 0;
    let separator: number = SEPARATOR.none;
    for (const [, kind, length, sign] of shape.matchAll(GROUP)) {
      const edge = edgeOf(node, separator, Number(length) + (kind === "x" ? MIXED : 0));
      let next = this.#edges[edge] ?? 0;
      if (next === 0) {
        this.#edges[edge] = next = this.#leaves.length;
        this.#leaves.push([]);
        if (this.#leaves.length * EDGES > this.#edges.length) this.#grow();
      }
      node = next;
      separator = OF_SIGN[sign ?? ""] ?? SEPARATOR.none;
    }
    this.#leaves[node]?.push(leaf);
  }

  /** The node behind `node` for group `at` of the phrase; -1: no shape goes on like this. */
  step(node: number, phrase: Phrase, at: number, first: boolean): number {
    const separator = first ? SEPARATOR.none : (phrase.separators[at] ?? SEPARATOR.none);
    return this.#edges[edgeOf(node, separator, kindOf(phrase, at))] || -1;
  }

  #grow(): void {
    const edges = new Uint16Array(this.#edges.length * 2);
    edges.set(this.#edges);
    this.#edges = edges;
  }

  leavesOf(node: number): readonly T[] {
    return this.#leaves[node] ?? [];
  }
}

/** edges of one node */
const EDGES = 1 << 9;
const edgeOf = (node: number, separator: number, kind: number): number => (node << 9) | (separator << 6) | kind;
