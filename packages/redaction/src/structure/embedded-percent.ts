import type { Change } from "../scrub/change.ts";
import type { ScanContext } from "../scrub/scan-context.ts";
import type { Nesting } from "../scrub/nesting.ts";
import { decodePercent, encodedChanges } from "./percent.ts";

/** A private key and its escapes. */
const LONGEST_VALUE = 48 * 1024;
const LONGEST_NAME = 64;
/** What ends a value of a query that stands in a text. */
const STOPS = new Set([..." \t\r\n\"'`<>&#;|\\^{}[]"].map((c) => c.charCodeAt(0)));
/** What may stand before a value besides these: the sign behind its name, or a slash of a path. */
const STARTS = new Set([...STOPS, ...[..."=?/(,"].map((c) => c.charCodeAt(0))]);
const NAME = /[?&;]([\w.[\]%-]{1,64})=$/;

/** A value with escapes, `text[start, end)`, and the name before it, where it has one. */
interface Run {
  readonly start: number;
  readonly end: number;
  readonly name: string;
}

const isHex = (unit: number): boolean =>
  (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 70) || (unit >= 97 && unit <= 102);
const isEscape = (text: string, at: number): boolean =>
  isHex(text.charCodeAt(at + 1)) && isHex(text.charCodeAt(at + 2));

/** The values of URLs in a text that hold escapes; each character is looked at once. `found`: where user and password may end. */
function percentRuns(text: string, found: ReadonlySet<number>): Run[] {
  const runs: Run[] = [];
  const parts = (at: number): boolean => found.has(at) && ":@".includes(text.charAt(at));
  let done = 0;
  for (let at = text.indexOf("%"); at !== -1; at = text.indexOf("%", Math.max(at + 1, done))) {
    if (!isEscape(text, at)) continue;
    const start = runStart(text, at, Math.max(done, at - LONGEST_VALUE), parts);
    const limit = Math.min(text.length, at + LONGEST_VALUE);
    const end = runEnd(text, at, limit, parts);
    done = end;
    // too long to be read whole
    if (end === limit && end < text.length) continue;
    const name = NAME.exec(text.slice(Math.max(0, start - LONGEST_NAME - 2), start))?.[1] ?? "";
    runs.push({ start, end: withoutMarks(text, start, end), name: decodePercent(name, true) ?? name });
  }
  return runs;
}

/** Where the value around the escape at `at` begins. `parts`: whether a value ends before a character. */
function runStart(text: string, at: number, floor: number, parts: (at: number) => boolean): number {
  let start = at;
  while (start > floor && !STARTS.has(text.charCodeAt(start - 1)) && !parts(start - 1)) start--;
  // the bracket of an area code stays as it is where code escapes a value
  return start - 2 >= floor && text.startsWith("=(", start - 2) ? start - 1 : start;
}

function runEnd(text: string, at: number, limit: number, parts: (at: number) => boolean): number {
  let end = at;
  while (end < limit && !STOPS.has(text.charCodeAt(end)) && text.charCodeAt(end) !== SLASH && !parts(end)) end++;
  return end;
}
const SLASH = 47;

/** The end of a value without the punctuation marks behind it. */
function withoutMarks(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && ".,:!?)".includes(text.charAt(last - 1))) last--;
  return last;
}

/** Changes inside the escaped values of URLs in a text; no host belongs to one whose `plain` changes end before its `@`. */
export function percentChanges(text: string, plain: readonly Change[], context: ScanContext, nest: Nesting): Change[] {
  return percentRuns(text, new Set(plain.map(({ end }) => end))).flatMap(({ start, end, name }) =>
    encodedChanges(text, start, end, name, name !== "", context, { ...nest, encoded: true }),
  );
}
