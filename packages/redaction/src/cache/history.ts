import type { Change } from "../scrub/change.ts";
import type { Cut } from "../structure/cut.ts";

/**
 * Texts that go on where an earlier one ended: every request of a conversation repeats the ones before it. Elements of
 * an array that stood in an earlier text need not be read again, since what is found in a leaf depends on the leaf and
 * its key alone.
 */
export interface History {
  /**
   * `read` takes a JSON text to its changes, or to null when it is none, and fills `cuts`, in order. Texts of one
   * `slot` are read alike. Null: the text is no JSON.
   */
  changes(text: string, slot: string, read: Read): readonly Change[] | null;
  /** UTF-16 units of a text that would not be read again */
  known(text: string, slot: string): number;
  /** what is held of this very text; null: nothing */
  held(text: string, slot: string): Held | null;
  /** what is held of the longest known beginning of a text; null: of none. Its `Held` is that of the text up to `length`. */
  beginning(text: string, slot: string): Beginning | null;
  /** takes what a history of the same scrubber on another thread holds of a text, or of the beginning of one */
  hold(text: string, slot: string, held: Held): void;
  clear(): void;
}

type Read = (text: string, cuts: Cut[] | null) => readonly Change[] | null;

/** What was found in a text, as plain data. */
export interface Held {
  readonly changes: readonly Change[];
  /** ends of elements, the last one first */
  readonly cuts: readonly Cut[];
}

/** What was found in the beginning of a text, as plain data. */
export interface Beginning extends Held {
  /** UTF-16 units */
  readonly length: number;
}

interface Entry extends Held {
  readonly slot: string;
  readonly text: string;
}

/** Below this the search costs more than the reading. */
const SHORTEST = 4096;
/** Conversations that may go on beside each other. */
const MOST_ENTRIES = 8;
const MOST_CUTS = 8;

/** `units` bounds the texts that are held, in UTF-16 units. */
export function createHistory(units: number): History {
  let entries: Entry[] = [];

  function remember(entry: Entry, before: Entry | undefined): void {
    if (entry.text.length > units / 2 || entry.cuts.length === 0) return;
    if (entry.changes.some((change) => change.type === "UNSCANNED")) return;
    entries = [entry, ...entries.filter((other) => other !== before)].slice(0, MOST_ENTRIES);
    let held = 0;
    entries = entries.filter(({ text }, at) => (held += text.length) <= units || at === 0);
  }

  function longest(text: string, slot: string): { entry: Entry; cut: Cut } | undefined {
    let found: { entry: Entry; cut: Cut } | undefined;
    for (const entry of entries) {
      if (entry.slot !== slot) continue;
      // two slices are compared by the word, `startsWith` by the unit
      const cut = entry.cuts.find(({ at }) => goesOn(text, at) && text.slice(0, at) === entry.text.slice(0, at));
      if (cut !== undefined && cut.at > (found?.cut.at ?? 0)) found = { entry, cut };
    }
    return found;
  }

  return {
    changes(text, slot, read) {
      if (text.length < SHORTEST) return read(text, null);
      const cuts: Cut[] = [];
      const known = longest(text, slot);
      if (known === undefined || known.cut.at - known.cut.from < SHORTEST / 2) {
        const changes = read(text, cuts);
        if (changes !== null) remember({ slot, text, changes, cuts: cuts.slice(-MOST_CUTS).reverse() }, undefined);
        return changes;
      }
      const { entry, cut } = known;
      const next = text.charCodeAt(cut.at) === COMMA ? cut.at + 1 : cut.at;
      const rest = read(text.slice(0, cut.from) + text.slice(next), cuts);
      if (rest === null) return read(text, null);
      const by = next - cut.from;
      const changes = [
        ...rest.filter((change) => change.end <= cut.from),
        ...entry.changes.filter((change) => change.start >= cut.from && change.end <= cut.at),
        ...rest
          .filter((change) => change.start >= cut.from)
          .map((change) => ({ ...change, start: change.start + by, end: change.end + by })),
      ];
      const behind = cuts
        .filter(({ at }) => at > cut.from)
        .map(({ from, at }) => ({ from: from > cut.from ? from + by : from, at: at + by }));
      const before = entry.cuts.filter(({ at }) => at <= cut.at);
      remember({ slot, text, changes, cuts: [...behind.reverse(), ...before].slice(0, MOST_CUTS) }, entry);
      return changes;
    },
    known(text, slot) {
      const cut = text.length < SHORTEST ? undefined : longest(text, slot)?.cut;
      return cut === undefined ? 0 : cut.at - cut.from;
    },
    held(text, slot) {
      const entry = entries.find((each) => each.slot === slot && each.text === text);
      return entry === undefined ? null : { changes: entry.changes, cuts: entry.cuts };
    },
    beginning(text, slot) {
      const known = text.length < SHORTEST ? undefined : longest(text, slot);
      if (known === undefined) return null;
      const length = known.cut.at;
      const changes = known.entry.changes.filter(({ end }) => end <= length);
      return { length, changes, cuts: known.entry.cuts.filter(({ at }) => at <= length) };
    },
    hold(text, slot, { changes, cuts }) {
      remember({ slot, text, changes, cuts }, longest(text, slot)?.entry);
    },
    clear() {
      entries = [];
    },
  };
}

const COMMA = 44;
const END_ARRAY = 93;

function goesOn(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit === COMMA || unit === END_ARRAY;
}
