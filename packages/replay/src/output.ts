import { findTokens } from "@reenact/envelope";
import { lineDigest, type TextFacts } from "@reenact/redaction";
import type { OutputFacts } from "@reenact/node";

/** The first line in which two texts differ. */
export interface LineDifference {
  /** from 1 */
  line: number;
  /** null: there is no such line; undefined: it was not kept */
  recorded: string | null | undefined;
  now: string | null | undefined;
}

/** Compares texts line by line; tokens count by type and by the order in which they first appear. */
export function firstDifferentLine(
  recorded: Partial<TextFacts>,
  now: Partial<TextFacts>,
  translate: (token: string) => string,
): LineDifference | null {
  const then = reader(recorded, (token) => token);
  const here = reader(now, translate);
  for (let index = 0; ; index++) {
    const a = then(index);
    const b = here(index);
    if (a.digest === null && b.digest === null) return null;
    const same = a.text !== undefined && b.text !== undefined ? a.numbered === b.numbered : a.digest === b.digest;
    if (!same) return { line: index + 1, recorded: a.text, now: b.text };
  }
}

interface Line {
  /** null: behind the end; undefined: not kept */
  text: string | null | undefined;
  numbered: string | null;
  digest: string | null;
}

const DIGITS = 8;

function reader(facts: Partial<TextFacts>, translate: (token: string) => string): (index: number) => Line {
  const { lines = [], more = "" } = facts;
  const numbers = new Map<string, number>();
  const numbered = (line: string): string => {
    let out = "";
    let from = 0;
    for (const { start, end, type, token } of findTokens(line)) {
      const name = translate(token);
      const number = numbers.get(name) ?? numbers.size + 1;
      numbers.set(name, number);
      out += `${line.slice(from, start)}\0${type}${number}\0`;
      from = end;
    }
    return out + line.slice(from);
  };
  return (index) => {
    const text = lines[index];
    if (text !== undefined) return { text, numbered: numbered(text), digest: lineDigest(text) };
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

/** The first write of two equal outputs that stands at another place in the order of deliveries. */
export function firstMovedWrite(recorded: OutputFacts, now: OutputFacts): MovedWrite | null {
  const then = recorded.places ?? [];
  const here = now.places ?? [];
  const from = (places: number[]): number[] => places.filter((_, at) => at % 3 === 0);
  for (const write of [...new Set([...from(then), ...from(here)])].sort((a, b) => a - b)) {
    const a = placeAt(then, write);
    const b = placeAt(here, write);
    if (a.settles !== b.settles)
      return { line: (a.write === write ? a.line : b.line) + 1, recorded: a.settles, now: b.settles };
  }
  return null;
}

function placeAt(places: number[], write: number): { write: number; settles: number; line: number } {
  let found = { write: 0, settles: 0, line: 0 };
  for (let at = 0; at + 2 < places.length; at += 3) {
    const [start = 0, settles = 0, line = 0] = places.slice(at, at + 3);
    if (start > write) break;
    found = { write: start, settles, line };
  }
  return found;
}
