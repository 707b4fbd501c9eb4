import { isSecretName } from "../names/secret-name.ts";
import type { Document } from "./documents.ts";
import { isMark, type Leaf } from "./json-leaf.ts";
import { LiteralEnds } from "./literal-ends.ts";

/** A field in which documents of one shape differ: it is read anew in each. */
export interface Hole {
  readonly leaf: Leaf;
  /** address of the piece that stands here within its stream; null: it is no piece */
  readonly stream: string | null;
}

/** The leaves of a document that is like an earlier one. */
export interface Known {
  readonly holes: Hole[];
  /** the strings that it shares with the earlier ones, with their offsets here: those that are asked for */
  readonly shared: (isWanted: (leaf: Leaf) => boolean) => Leaf[];
}

interface Shape {
  readonly event: string;
  readonly holes: readonly Hole[];
  /** what stands before each hole, and behind the last one: the same text in all of them */
  readonly between: readonly string[];
  /** all leaves of the document that it was learnt from */
  readonly leaves: readonly Hole[];
}

const MOST = 6;
const NUMBER = /-?[0-9][0-9.eE+-]*/y;

/**
 * The documents of a stream are alike but for a piece of text and a number or two. One that is like an earlier one is
 * not taken apart: only what stands in the holes is.
 */
export class Shapes {
  #shapes: Shape[] = [];

  /** The holes of a document with the offsets of what stands in them; null: it is like none before. */
  read(document: Document): Known | null {
    for (const [at, shape] of this.#shapes.entries()) {
      const holes = shape.event === document.event ? fitted(shape, document.text) : null;
      if (holes === null) continue;
      if (at > 0) this.#shapes = [shape, ...this.#shapes.filter((other) => other !== shape)];
      return { holes, shared: (isWanted) => sharedLeaves(shape, holes, isWanted) };
    }
    return null;
  }

  /** For a document in whose other strings nothing was found. `varies` names the strings that may differ. */
  learn(document: Document, leaves: readonly Hole[], varies: (leaf: Leaf) => boolean): void {
    const { text, event } = document;
    const holes = leaves.filter(({ leaf }) => isHole(leaf) && (leaf.isNumber || varies(leaf)));
    if (holes.length === 0) return;
    const ends = [0, ...holes.map(({ leaf }) => leaf.end)];
    const starts = [...holes.map(({ leaf }) => leaf.start), text.length];
    const between = starts.map((start, i) => text.slice(ends[i], start));
    this.#shapes = [{ event, holes, between, leaves }, ...this.#shapes].slice(0, MOST);
  }
}

function sharedLeaves(
  { leaves, holes: learnt }: Shape,
  holes: readonly Hole[],
  isWanted: (leaf: Leaf) => boolean,
): Leaf[] {
  const out: Leaf[] = [];
  let hole = 0;
  for (const each of leaves) {
    const { leaf } = each;
    if (each === learnt[hole]) hole++;
    else if (!leaf.isName && !leaf.isNumber && isWanted(leaf)) {
      // as far as the last hole before it has moved
      const by = (holes[hole - 1]?.leaf.end ?? 0) - (learnt[hole - 1]?.leaf.end ?? 0);
      out.push({ ...leaf, start: leaf.start + by, end: leaf.end + by });
    }
  }
  return out;
}

/** A number that tells streams apart, or may be a secret, and everything that decides what another leaf is, must be the same. */
function isHole(leaf: Leaf): boolean {
  return (
    !leaf.isName && leaf.typed === null && leaf.key === leaf.member && !isMark(leaf.key) && !isSecretName(leaf.key)
  );
}

function fitted({ holes, between }: Shape, text: string): Hole[] | null {
  const ends = new LiteralEnds(text, text.length);
  const out: Hole[] = [];
  let at = 0;
  for (const [i, { leaf, stream }] of holes.entries()) {
    const before = between[i] ?? "";
    if (!text.startsWith(before, at)) return null;
    const start = at + before.length;
    at = leaf.isNumber ? numberEnd(text, start) : ends.after(start);
    if (at === -1) return null;
    out.push({ stream, leaf: { ...leaf, start, end: at, escaped: !leaf.isNumber && ends.escaped } });
  }
  const tail = between.at(-1) ?? "";
  return text.length === at + tail.length && text.endsWith(tail) ? out : null;
}

function numberEnd(text: string, at: number): number {
  NUMBER.lastIndex = at;
  return NUMBER.test(text) ? NUMBER.lastIndex : -1;
}
