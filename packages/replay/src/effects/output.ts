import { findTokens } from "@reenact/envelope";
import { lineDigest, MOST_DIGESTS, type TextFacts } from "@reenact/redaction";
import type { OutputFacts } from "@reenact/node";
import { markedDifference } from "./same-content.ts";

/** The first line in which two texts differ. */
export interface LineDifference {
  /** from 1 */
  line: number;
  /** null: there is no such line; undefined: it was not kept */
  recorded: string | null | undefined;
  now: string | null | undefined;
}

/** What of a line is compared, in the recording and now. */
export interface ComparedLines {
  recorded(line: string): string;
  now(line: string): string;
  /** whether two of them that differ are the same all the same; default: no */
  isSame?(recorded: string, now: string): boolean;
}

/** All of a line. */
export const WHOLE: ComparedLines = { recorded: (line) => line, now: (line) => line };

/** Compares texts line by line; tokens count by type and by the order in which they first appear, or by themselves. */
export function firstDifferentLine(
  recorded: Partial<TextFacts>,
  now: Partial<TextFacts>,
  translate: (token: string) => string,
  { byValue = false, lines = WHOLE }: { byValue?: boolean; lines?: ComparedLines } = {},
): LineDifference | null {
  const then = reader(
    recorded,
    (token) => token,
    byValue,
    (line) => lines.recorded(line),
  );
  const here = reader(now, translate, byValue, (line) => lines.now(line));
  for (let index = 0; ; index++) {
    const a = then(index);
    const b = here(index);
    if (a.digest === null && b.digest === null) return null;
    const same =
      a.text !== undefined && b.text !== undefined
        ? a.numbered === b.numbered || isSameLine(a.text, b.text, lines)
        : a.digest === b.digest;
    if (!same) return { line: index + 1, recorded: a.text, now: b.text };
  }
}

function isSameLine(recorded: string | null, now: string | null, lines: ComparedLines): boolean {
  if (recorded === null || now === null || lines.isSame === undefined) return false;
  return lines.isSame(lines.recorded(recorded), lines.now(now));
}

/**
 * Whether two texts that differ are the same in what is compared of their lines. False where not every line is known, or
 * where something outside the lines differs: the end of the last one, a redacted value.
 */
export function isSameIn(
  recorded: TextFacts,
  now: TextFacts,
  translate: (token: string) => string,
  lines: ComparedLines,
): boolean {
  if (markedDifference(recorded, now) !== null) return false;
  if (!knowsAllLines(recorded) || !knowsAllLines(now)) return false;
  // of lines that were not kept the digests leave out which tokens they hold
  if (lines.isSame === undefined ? recorded.tokens !== now.tokens : hasDigests(recorded) || hasDigests(now))
    return false;
  if (firstDifferentLine(recorded, now, translate, { byValue: true, lines }) !== null) return false;
  return now.bytes - recorded.bytes === keptBytes(now) - keptBytes(recorded);
}

const hasDigests = ({ more = "" }: TextFacts): boolean => more !== "";
const knowsAllLines = ({ more = "" }: TextFacts): boolean => more.length < MOST_DIGESTS * DIGITS;
const keptBytes = ({ lines }: TextFacts): number => lines.reduce((sum, line) => sum + Buffer.byteLength(line), 0);

interface Line {
  /** null: behind the end; undefined: not kept */
  text: string | null | undefined;
  numbered: string | null;
  digest: string | null;
}

const DIGITS = 8;

function reader(
  facts: Partial<TextFacts>,
  translate: (token: string) => string,
  byValue: boolean,
  comparedOf: (line: string) => string,
): (index: number) => Line {
  const { lines = [], more = "" } = facts;
  const numbers = new Map<string, number>();
  const numbered = (line: string): string => {
    let out = "";
    let from = 0;
    for (const { start, end, type, token } of findTokens(line)) {
      const name = translate(token);
      const number = numbers.get(name) ?? numbers.size + 1;
      numbers.set(name, number);
      out += `${line.slice(from, start)}\0${byValue ? name : `${type}${number}`}\0`;
      from = end;
    }
    return out + line.slice(from);
  };
  return (index) => {
    const text = lines[index];
    if (text !== undefined) return { text, numbered: numbered(comparedOf(text)), digest: lineDigest(text) };
    const at = (index - lines.length) * DIGITS;
    return at < more.length
      ? { text: undefined, numbered: null, digest: more.slice(at, at + DIGITS) }
      : { text: null, numbered: null, digest: null };
  };
}

/** A write that came before or after the delivery of another number of answers than when it was recorded. */
export interface MovedWrite {
  /** line at which it begins, from 1 */
  line: number;
  recorded: number;
  now: number;
}

/** The first place of two equal outputs that stands elsewhere in the order of deliveries. */
export function firstMovedWrite(recorded: OutputFacts, now: OutputFacts): MovedWrite | null {
  const then = changesOf(recorded.places);
  const here = changesOf(now.places);
  for (const place of [...then, ...here].sort(byPlace)) {
    const a = settlesAt(then, place);
    const b = settlesAt(here, place);
    if (a !== b) return { line: place.line + 1, recorded: a, now: b };
  }
  return null;
}

interface Change {
  readonly line: number;
  readonly column: number;
  readonly settles: number;
}

function changesOf(places: readonly number[] = []): Change[] {
  const out: Change[] = [];
  for (let at = 0; at + 2 < places.length; at += 3) {
    const [line = 0, column = 0, settles = 0] = places.slice(at, at + 3);
    out.push({ line, column, settles });
  }
  return out;
}

const byPlace = (a: Change, b: Change): number => a.line - b.line || a.column - b.column;

/** Answers that had been delivered when the byte at this place was written. */
function settlesAt(changes: readonly Change[], place: Change): number {
  return changes.findLast((each) => byPlace(each, place) <= 0)?.settles ?? 0;
}
