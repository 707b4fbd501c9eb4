import type { Edit, Scrubber } from "@reenact/capture";
import { applied } from "../scrub/change.ts";
import { openDeniedHead } from "../structure/denied-cells.ts";
import { openCopyHead } from "../structure/secret-lines.ts";
import { openInsertHead } from "../structure/sql-values.ts";
import { openHead } from "../structure/table-cells.ts";
import { namesValues } from "../names/names-values.ts";

/** What reads the blocks. `denies`: see `RedactingScrubber`. */
export interface BlockScrubber {
  scrub: Scrubber["scrub"];
  denies?(path: string): boolean;
}

/** A text that redaction has read, with the marks of what it replaced; null: they are not known. */
export interface ReadText {
  readonly text: string;
  readonly marks: readonly string[] | null;
}

/**
 * Redacts a long text in blocks of whole lines, in order. The head of a table whose rows reach to the end of a block
 * (CSV, bars, `COPY`, `INSERT`) is read above the next block too, so that it names the values in there.
 */
export class BlockReader {
  readonly #scrubber: BlockScrubber;
  #heads: readonly string[] = [];

  constructor(scrubber: BlockScrubber) {
    this.#scrubber = scrubber;
  }

  read(block: string): ReadText {
    const read = readUnder(this.#scrubber, this.#heads, block);
    this.#heads = this.#openHeads(`${this.#heads[0] ?? ""}${block}`);
    return read;
  }

  /** Reads a long line, or a part of one, when it is called. An open table goes on behind it: it is no more than one row. */
  lineReader(line: string): () => ReadText {
    const heads = this.#heads;
    return () => readUnder(this.#scrubber, heads, line);
  }

  /** The same by another thread; null: it has to be read here. Resolves to null where that thread cannot. */
  lineElsewhere(line: string, scrubElsewhere: NonNullable<Scrubber["scrubElsewhere"]>): Promise<string | null> | null {
    const [head = "", ...others] = this.#heads;
    if (others.length > 0) return null;
    const answer = scrubElsewhere(head + line);
    if (head === "" || answer === null) return answer;
    const above = this.#scrubber.scrub(head).text;
    return answer.then((text) => (text?.startsWith(above) === true ? text.slice(above.length) : null));
  }

  #openHeads(text: string): readonly string[] {
    const denies = (name: string): boolean =>
      this.#scrubber.denies?.(name) === true || this.#scrubber.denies?.(`0/${name}`) === true;
    const heads = [
      openHead(text, namesValues),
      openCopyHead(text, namesValues),
      openInsertHead(text, (name) => namesValues(name) || denies(name)),
      this.#scrubber.denies === undefined ? "" : openDeniedHead(text, denies),
    ];
    return [...new Set(heads)].filter((head) => head !== "");
  }
}

function readUnder(scrubber: BlockScrubber, [first = "", ...others]: readonly string[], text: string): ReadText {
  let read = readBelow(scrubber, first, text);
  for (const head of others) {
    const again = readBelow(scrubber, head, read.text).text;
    if (again !== read.text) read = { text: again, marks: null };
  }
  return read;
}

/** What becomes of a text that stands below the head of a table. */
function readBelow(scrubber: BlockScrubber, head: string, text: string): ReadText {
  const { edits, marks, ...whole } = scrubber.scrub(head + text);
  if (head === "") return { text: whole.text, marks: marks ?? (whole.text === text ? [] : null) };
  const own: Edit[] = [];
  for (const { start, end, with: put } of edits)
    if (end > head.length) own.push({ start: Math.max(0, start - head.length), end: end - head.length, with: put });
  return { text: applied(text, own), marks: own.length === edits.length ? (marks ?? null) : null };
}
