import { ANY, type CharacterSet, complement, DIGIT, SPACE, union, withBothCases, WORD } from "./character-set.ts";
import type { Node } from "./pattern-cost.ts";

/** Says what of an expression cannot be allowed, and where. */
export class PatternError extends Error {}

const MOST_NODES = 4096;

/** A part of an expression with its quantifiers written out, to be put in front of what follows it. */
interface Part {
  readonly shortest: number;
  readonly longest: number;
  /** the nodes that begin it, in front of `after`; may hold `after` itself */
  build(after: Node[]): Node[];
}

export interface ParsedPattern {
  readonly start: Node;
  /** characters */
  readonly shortest: number;
  readonly longest: number;
}

/** Parses what the engine has accepted in `u` mode. Throws `PatternError` for what has no bound. */
export function parsePattern(pattern: string, ignoreCase: boolean): ParsedPattern {
  const parser = new Parser([...pattern], ignoreCase);
  const part = parser.alternatives();
  const end: Node = { takes: null, next: [], at: pattern.length };
  return {
    start: { takes: null, next: part.build([end]), at: 0 },
    shortest: part.shortest,
    longest: part.longest,
  };
}

class Parser {
  readonly #points: readonly string[];
  readonly #ignoreCase: boolean;
  #at = 0;
  #nodes = 0;

  constructor(points: readonly string[], ignoreCase: boolean) {
    this.#points = points;
    this.#ignoreCase = ignoreCase;
  }

  alternatives(): Part {
    const ways = [this.#sequence()];
    while (this.#take("|")) ways.push(this.#sequence());
    if (ways.length === 1) return ways[0] as Part;
    return {
      shortest: Math.min(...ways.map((way) => way.shortest)),
      longest: Math.max(...ways.map((way) => way.longest)),
      build: (after) => ways.flatMap((way) => way.build(after)),
    };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#points.length && this.#peek() !== "|" && this.#peek() !== ")")
      parts.push(this.#quantified());
    return {
      shortest: parts.reduce((sum, part) => sum + part.shortest, 0),
      longest: parts.reduce((sum, part) => sum + part.longest, 0),
      build: (after) => parts.reduceRight((next, part) => part.build(next), after),
    };
  }

  #quantified(): Part {
    const at = this.#at;
    const part = this.#atom();
    const bounds = this.#bounds(at);
    if (bounds === null) return part;
    const [least, most] = bounds;
    if (part.longest === 0) return part;
    if (part.shortest === 0 && most > 1)
      throw new PatternError(`not linear: what is repeated at offset ${at} may be empty`);
    return {
      shortest: part.shortest * least,
      longest: part.longest * most,
      build: (after) => {
        let next = after;
        for (let n = most; n > 0; n--) next = n > least ? [...part.build(next), ...after] : part.build(next);
        return next;
      },
    };
  }

  #bounds(at: number): [number, number] | null {
    const sign = this.#peek();
    let bounds: [number, number];
    if (sign === "?") bounds = [0, 1];
    else if (sign === "*" || sign === "+")
      throw new PatternError(
        `not linear: "${sign}" at offset ${this.#at} has no upper bound; write {${sign === "*" ? 0 : 1},64}`,
      );
    else if (sign === "{") {
      const close = this.#points.indexOf("}", this.#at);
      const [least = "", most] = this.#points
        .slice(this.#at + 1, close)
        .join("")
        .split(",");
      if (most === "") throw new PatternError(`not linear: the quantifier at offset ${at} has no upper bound`);
      bounds = [Number(least), Number(most ?? least)];
      this.#at = close;
    } else return null;
    this.#at++;
    // lazy or not, the same ways are tried
    this.#take("?");
    return bounds;
  }

  #atom(): Part {
    const at = this.#at;
    const point = this.#next();
    switch (point) {
      case "^":
      case "$":
        return EMPTY;
      case ".":
        return this.#one(
          complement([
            [10, 10],
            [13, 13],
            [0x2028, 0x2029],
          ]),
          at,
        );
      case "(":
        return this.#group(at);
      case "[":
        return this.#one(this.#set(), at);
      case "\\": {
        if (this.#peek() === "b" || this.#peek() === "B") {
          this.#at++;
          return EMPTY;
        }
        return this.#one(this.#escape(at), at);
      }
      default:
        return this.#one(single(point), at);
    }
  }

  #group(at: number): Part {
    let width: ((inner: Part) => Part) | null = null;
    if (this.#take("?")) {
      const kind = this.#next();
      const behind = kind === "<" && (this.#peek() === "=" || this.#peek() === "!");
      if (kind === "=" || kind === "!" || behind) {
        if (behind) this.#at++;
        width = (inner) => {
          if (inner.longest > 1) throw new PatternError(`look-around at offset ${at} may look at one character only`);
          return EMPTY;
        };
      } else if (kind === "<") while (this.#points[this.#at++] !== ">");
      else if (kind !== ":") throw new PatternError(`the group at offset ${at} is not understood`);
    }
    const inner = this.alternatives();
    this.#at++;
    return width === null ? inner : width(inner);
  }

  #set(): CharacterSet {
    const negated = this.#take("^");
    const sets: CharacterSet[] = [];
    while (this.#peek() !== "]") {
      const from = this.#inSet();
      const first = from[0]?.[0] ?? 0;
      if (this.#peek() === "-" && this.#points[this.#at + 1] !== "]" && from.length === 1) {
        this.#at++;
        const to = this.#inSet();
        sets.push([[first, to[0]?.[1] ?? first]]);
      } else sets.push(from);
    }
    this.#at++;
    const set = union(...sets);
    // folded first: what a negated set leaves out must be no more than what it says
    return negated ? (this.#ignoreCase ? ANY : complement(set)) : set;
  }

  #inSet(): CharacterSet {
    const at = this.#at;
    const point = this.#next();
    return point === "\\" ? (this.#take("b") ? [[8, 8]] : this.#escape(at)) : single(point);
  }

  #escape(at: number): CharacterSet {
    const point = this.#next();
    switch (point) {
      case "d":
        return DIGIT;
      case "D":
        return complement(DIGIT);
      case "w":
        return WORD;
      case "W":
        return complement(WORD);
      case "s":
        return SPACE;
      case "S":
        return complement(SPACE);
      case "p":
      case "P":
        this.#at = this.#points.indexOf("}", this.#at) + 1;
        return ANY;
      case "x":
        return this.#hex(2);
      case "u":
        return this.#unicode();
      case "c":
        this.#at++;
        return [[0, 31]];
      case "k":
        throw new PatternError(`not linear: a back reference at offset ${at}`);
      default: {
        if (/[1-9]/.test(point)) throw new PatternError(`not linear: a back reference at offset ${at}`);
        return single(CONTROLS[point] ?? point);
      }
    }
  }

  #hex(length: number): CharacterSet {
    const code = Number.parseInt(this.#points.slice(this.#at, this.#at + length).join(""), 16);
    this.#at += length;
    return [[code, code]];
  }

  #unicode(): CharacterSet {
    if (!this.#take("{")) {
      const [[high]] = this.#hex(4) as [[number, number]];
      if (high < 0xd800 || high > 0xdbff || this.#peek() !== "\\") return [[high, high]];
      // two halves of one character
      this.#at += 6;
      return ANY;
    }
    const close = this.#points.indexOf("}", this.#at);
    const code = Number.parseInt(this.#points.slice(this.#at, close).join(""), 16);
    this.#at = close + 1;
    return [[code, code]];
  }

  #one(set: CharacterSet, at: number): Part {
    const takes = this.#ignoreCase ? withBothCases(set) : set;
    return {
      shortest: 1,
      longest: 1,
      build: (next) => {
        if (++this.#nodes > MOST_NODES) throw new PatternError("with its quantifiers written out it is too long");
        return [{ takes, next, at }];
      },
    };
  }

  /** The next character, behind which the reader then stands; an empty text: there is none. */
  #next(): string {
    return this.#points[this.#at++] ?? "";
  }

  #peek(): string | undefined {
    return this.#points[this.#at];
  }

  #take(point: string): boolean {
    if (this.#peek() !== point) return false;
    this.#at++;
    return true;
  }
}

const EMPTY: Part = { shortest: 0, longest: 0, build: (after) => after };
const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", f: "\f", v: "\v", 0: "\0" };

function single(point: string): CharacterSet {
  const code = point.codePointAt(0) ?? 0;
  return [[code, code]];
}
