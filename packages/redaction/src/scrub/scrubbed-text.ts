import type { Edit, RedactedPlace, ScrubHint, Scrubbed } from "@reenact/capture";
import { applied, type Change, ruleOf } from "./change.ts";
import { type Mark, marksOf } from "../token/value-marks.ts";
import { pointersOf } from "./pointers.ts";

const NO_EDITS: readonly Edit[] = [];
const NO_PLACES: readonly RedactedPlace[] = [];

/** A text with its changes made. Where they stood is found out when it is asked for. */
export class ScrubbedText implements Scrubbed {
  readonly text: string;
  readonly edits: readonly Edit[];
  readonly counts: Readonly<Record<string, number>>;
  readonly #places: () => readonly RedactedPlace[];
  readonly #marks: () => readonly (string | null)[];

  constructor(text: string, hint: ScrubHint, changes: readonly Change[], mark: Mark) {
    const counts: Record<string, number> = {};
    for (const { type } of changes) if (type !== null) counts[type] = (counts[type] ?? 0) + 1;
    this.text = applied(text, changes);
    this.edits = changes.length === 0 ? NO_EDITS : changes.map(({ start, end, with: w }) => ({ start, end, with: w }));
    this.counts = counts;
    let marks: readonly (string | null)[] | null = null;
    this.#marks = () => (marks ??= marksOf(text, hint, changes, mark));
    let places: readonly RedactedPlace[] | null = changes.length === 0 ? NO_PLACES : null;
    this.#places = () => (places ??= placesOf(text, hint, changes, this.#marks()));
  }

  get places(): readonly RedactedPlace[] {
    return this.#places();
  }

  get marks(): readonly string[] {
    return this.#marks().filter((each) => each !== null);
  }
}

type Row = { -readonly [K in keyof RedactedPlace]: RedactedPlace[K] };

function placesOf(
  text: string,
  hint: ScrubHint,
  changes: readonly Change[],
  marks: readonly (string | null)[],
): readonly RedactedPlace[] {
  const pointers = pointersOf(text, hint, changes);
  const rows = new Map<string, Row>();
  for (const [i, { type, rule }] of changes.entries()) {
    if (type === null) continue;
    const row: Row = { at: pointers[i] ?? "", rule: ruleOf(type, rule), type, n: 0 };
    const key = `${row.rule}\n${type}\n${row.at}`;
    const known = rows.get(key) ?? row;
    rows.set(key, known);
    known.n++;
    const mark = marks[i] ?? null;
    if (mark !== null) known.marks = known.marks === undefined ? mark : `${known.marks} ${mark}`;
  }
  return [...rows.values()];
}
