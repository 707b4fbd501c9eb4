import { type Change, shifted, unscanned } from "../scrub/change.ts";
import { plainChanges } from "../scrub/plain-changes.ts";
import { type ScanContext, leafChanges } from "../scrub/scan-context.ts";
import type { Nesting } from "../scrub/nesting.ts";
import { NOWHERE } from "../names/field-context.ts";
import { isSecretName } from "../names/secret-name.ts";
import { covering, type Part, spread } from "./joined.ts";
import { PIECE_NAMES } from "./piece-names.ts";
import { tableCells } from "./table-cells.ts";
import { cellChanges } from "./table-changes.ts";
import { namesValues } from "../names/names-values.ts";

/** Types that no row of short values makes by chance: they are told by a mark, or by a check over many characters. */
const SELF_EVIDENT = new Set(["KEY", "JWT", "PEM", "SECRET", "AUTH", "EMAIL", "IBAN", "WALLET"]);
/** A first part of these may look whole: the value is replaced over all its parts. */
const LONG = new Set(["KEY", "JWT", "PEM", "SECRET"]);
/** Of a longer text only both ends are read together with others, so many characters of each. */
const LONGEST_PIECE = 1024;
const EDGE = 512;
/** Columns of other names than those of pieces are read as plain text above this length. UTF-16 units */
const SHORT = 16 * 1024;
/** So much is read together at most. UTF-16 units */
const LONGEST_JOINED = 4 * 1024 * 1024;

/** The strings of one field. */
export interface Column {
  readonly name: string;
  readonly nest: Nesting;
  readonly parts: Part[];
  /** of each part: the ids that its record has beside it; empty: none */
  readonly streams: string[];
  /** false: all parts are the same text */
  varies: boolean;
  /** the parts are read as one text elsewhere: they are read here for each stream only, where there are several */
  readonly isRead: boolean;
}

/**
 * Strings of the same field of the records of a stream, or of the elements of a list. Each is a value of its
 * own, and may be a piece of a longer one: what is found in them together, and in none of them alone, is replaced where
 * it began. Columns whose records name several streams are read for each of those too.
 */
export class PieceColumns {
  readonly #isStream: boolean;
  readonly #areLines: boolean;
  readonly #columns: Column[] = [];

  /** `isStream`: the records came one by one, so that pieces are likely; `areLines`: they may be lines of one text */
  constructor(isStream: boolean, areLines: boolean) {
    this.#isStream = isStream;
    this.#areLines = areLines;
  }

  /** `name`: of the member; empty: it has none. */
  column(name: string, nest: Nesting, isRead: boolean): Column {
    const column = { name, nest, parts: [], streams: [], varies: false, isRead };
    this.#columns.push(column);
    return column;
  }

  /** Changes of values that are cut between parts, in no order. */
  changes(context: ScanContext): Change[] {
    const out: Change[] = [];
    for (const column of this.#columns) {
      const { parts, varies, name, isRead } = column;
      if (!varies || parts.length < 2 || (context.isOn("AUTH") && isSecretName(name))) continue;
      if (this.#areLines) out.push(...tableChanges(column, context, this.#isStream));
      for (const all of isRead ? streamsOf(column) : [parts, ...streamsOf(column)])
        for (const run of this.#runs(all, name)) if (run.length > 1) out.push(...this.#cut(run, column, context));
    }
    return out;
  }

  /** Parts that are read together. */
  #runs(parts: readonly Part[], name: string): Part[][] {
    const isText = this.#isStream && (name === "" || PIECE_NAMES.has(name));
    const runs: Part[][] = [[]];
    let size = 0;
    for (const part of parts) {
      const { length } = part.value;
      if (length > LONGEST_PIECE && (!isText || size + length > LONGEST_JOINED)) {
        runs.at(-1)?.push(stretch(part, 0, EDGE));
        runs.push([stretch(part, length - EDGE, length)]);
        size = EDGE;
      } else {
        runs.at(-1)?.push(part);
        size += length;
      }
    }
    return runs;
  }

  #cut(parts: readonly Part[], column: Column, context: ScanContext): Change[] {
    const { name, nest } = column;
    const whole = parts.map(({ value }) => value).join("");
    const isText = this.#isText(parts, name);
    const isRead = this.#isStream && (isText || whole.length <= SHORT);
    const found =
      isRead || /^\s*[[{]/.test(whole) ? leafChanges(whole, "", context, nest) : plain(whole, context, nest);
    if (found.length === 0) return [];
    const starts = startsOf(parts);
    const endOf = (n: number): number => starts[n + 1] ?? whole.length;
    const aloneIn = changesAlone(parts, starts, column, context);
    const kept: Change[] = [];
    let at = 0;
    for (const change of found) {
      while (at + 1 < parts.length && endOf(at) <= change.start) at++;
      if (endOf(at) >= change.end) continue;
      const own: Change[] = [];
      for (let n = at; n < parts.length && (starts[n] ?? 0) < change.end; n++) own.push(...aloneIn(n));
      const touched = own.filter(({ start, end }) => start < change.end && change.start < end);
      if (this.#isCut(change, touched, whole, isText)) kept.push(change, ...touched);
    }
    return kept.length === 0 ? [] : spread(parts, covering(kept));
  }

  /** Whether the parts are one text, for their name or for how they begin and end. */
  #isText(parts: readonly Part[], name: string): boolean {
    return (name === "" && this.#isStream) || PIECE_NAMES.has(name) || isRunning(parts, this.#isStream);
  }

  /** Whether a hit that reaches over an edge is one value, and not two that stand beside each other. */
  #isCut({ type, start, end }: Change, alone: readonly Change[], whole: string, isText: boolean): boolean {
    if (type === null) return false;
    const isLong = LONG.has(type) || type === "UNSCANNED";
    // every character of it goes already
    if (alone.reduce((sum, own) => sum + Math.min(own.end, end) - Math.max(own.start, start), 0) === end - start)
      return false;
    if (alone.length > 0) return isLong ? this.#isStream : this.#isStream && isText && type !== "EMAIL";
    if (isText || SELF_EVIDENT.has(type) || isLong) return true;
    return (type === "PHONE" && whole[start] === "+") || (type === "CARD" && /[ -]/.test(whole.slice(start, end)));
  }
}

/** Where each part begins in the text of all of them. */
function startsOf(parts: readonly Part[]): number[] {
  const starts: number[] = [];
  let length = 0;
  for (const { value } of parts) {
    starts.push(length);
    length += value.length;
  }
  return starts;
}

/** What is found in a part read alone, with its offsets in the text of all parts. Each part is read once. */
function changesAlone(
  parts: readonly Part[],
  starts: readonly number[],
  { name, nest }: Column,
  context: ScanContext,
): (n: number) => readonly Change[] {
  const alone = new Map<number, readonly Change[]>();
  return (n) => {
    let changes = alone.get(n);
    if (changes === undefined) {
      changes = shifted(leafChanges(parts[n]?.value ?? "", name, context, nest), starts[n] ?? 0);
      alone.set(n, changes);
    }
    return changes;
  };
}

const STATEMENT = /FROM stdin|\bvalues\b/i;

/** Changes in the cells of a table whose lines are the parts, with their line ends or without. */
function tableChanges({ parts, nest }: Column, context: ScanContext, isStream: boolean): Change[] {
  if (!parts.every(({ value }) => isLines(value, isStream))) return [];
  const lines = parts.map((part) => (part.value.endsWith("\n") ? part : asLine(part)));
  const whole = lines.map(({ value }) => value).join("");
  if (!STATEMENT.test(whole) && tableCells(whole, namesValues).length === 0) return [];
  return spread(lines, covering(cellChanges(whole, context, nest)));
}

/** Whether a text is one line, or whole lines where they came one by one. */
function isLines(text: string, maySeveral: boolean): boolean {
  const feed = text.indexOf("\n");
  return feed === -1 || feed === text.length - 1 || (maySeveral && text.endsWith("\n"));
}

/** A part with a line end behind it, which no change reaches. */
function asLine({ value, toSource }: Part): Part {
  const to = value.length;
  return {
    value: `${value}\n`,
    toSource: (changes) =>
      toSource(changes.map((one) => ({ ...one, end: Math.min(one.end, to) })).filter((one) => one.start < to)),
  };
}

/** Whether the parts are a text that goes on: one begins or ends between words, or most of them hold several. */
function isRunning(parts: readonly Part[], isStream: boolean): boolean {
  if (parts.some(({ value }) => /^\s|\s$/.test(value))) return true;
  return isStream && parts.filter(({ value }) => /\s/.test(value)).length * 2 > parts.length;
}

function plain(text: string, context: ScanContext, nest: Nesting): readonly Change[] {
  try {
    return plainChanges(text, 0, text.length, NOWHERE, context, nest.path);
  } catch {
    return [unscanned(0, text.length)];
  }
}

export function addPart(column: Column, part: Part, stream: string): void {
  column.varies ||= column.parts[0] !== undefined && column.parts[0].value !== part.value;
  column.parts.push(part);
  column.streams.push(stream);
}

/** The parts of each stream, where there are several that go on. */
function streamsOf({ parts, streams }: Column): Part[][] {
  const different = new Set(streams).size;
  if (different === 1 || different === streams.length) return [];
  const groups = Map.groupBy(parts.keys(), (n) => streams[n] as string);
  return [...groups.values()]
    .filter((numbers) => numbers.length > 1)
    .map((numbers) => numbers.map((n) => parts[n] as Part));
}

/** A part of a part. */
function stretch({ value, toSource }: Part, from: number, to: number): Part {
  return {
    value: value.slice(from, to),
    toSource: (changes) =>
      toSource(changes.map((change) => ({ ...change, start: change.start + from, end: change.end + from }))),
  };
}

/** Changes with those of cut values, which stand where both say something. All are sorted. */
export function overlaid(changes: readonly Change[], cut: readonly Change[]): readonly Change[] {
  return cut.length === 0 ? changes : covering([...cut, ...changes]);
}
