import type { Edit, RedactedPlace, ScrubHint, Scrubbed } from "@reenact/capture";
import { applied, type Change, ruleOf } from "./change.ts";
import { pointersOf } from "./pointers.ts";

const NO_EDITS: readonly Edit[] = [];
const NO_PLACES: readonly RedactedPlace[] = [];

/** A text with its changes made. Where they stood is found out when it is asked for. */
export class ScrubbedText implements Scrubbed {
  readonly text: string;
  readonly edits: readonly Edit[];
  readonly counts: Readonly<Record<string, number>>;
  readonly #places: () => readonly RedactedPlace[];

  constructor(text: string, hint: ScrubHint, changes: readonly Change[]) {
    const counts: Record<string, number> = {};
    for (const { type } of changes) if (type !== null) counts[type] = (counts[type] ?? 0) + 1;
    this.text = applied(text, changes);
    this.edits = changes.length === 0 ? NO_EDITS : changes.map(({ start, end, with: w }) => ({ start, end, with: w }));
    this.counts = counts;
    let places: readonly RedactedPlace[] | null = changes.length === 0 ? NO_PLACES : null;
    this.#places = () => (places ??= placesOf(text, hint, changes));
  }

  get places(): readonly RedactedPlace[] {
    return this.#places();
  }
}

function placesOf(text: string, hint: ScrubHint, changes: readonly Change[]): readonly RedactedPlace[] {
  const pointers = pointersOf(text, hint, changes);
  const rows = new Map<string, { at: string; rule: string; type: string; n: number }>();
  for (const [i, { type, rule }] of changes.entries()) {
    if (type === null) continue;
    const row = { at: pointers[i] ?? "", rule: ruleOf(type, rule), type, n: 1 };
    const key = `${row.rule}\n${type}\n${row.at}`;
    const known = rows.get(key);
    if (known === undefined) rows.set(key, row);
    else known.n++;
  }
  return [...rows.values()];
}
