import { findTokens } from "@reenact/envelope";

/** What compares a token of now with the text that the record has in its place. */
export interface ClearValues {
  /** the recorded name of a token of now */
  translate(token: string): string;
  /** whether a token stands for this value */
  isValue(token: string, type: string, value: string): boolean;
}

const LONGEST_VALUE = 4096;

/**
 * Number of tokens of now in whose place the recorded text has the value itself, where two texts differ in nothing else. A value that
 * is redacted for its place, as a cookie in a header, is shown in clear where the program prints it elsewhere; a replay was served the
 * token. Null: they differ in something else.
 */
export function valuesInClear(recorded: string, now: string, { translate, isValue }: ClearValues): number | null {
  const hits = findTokens(now);
  let at = 0;
  let from = 0;
  let found = 0;
  for (const [n, { start, end, type, token }] of hits.entries()) {
    const before = now.slice(from, start);
    if (!recorded.startsWith(before, at)) return null;
    at += before.length;
    from = end;
    const name = translate(token);
    if (recorded.startsWith(name, at)) {
      at += name.length;
      continue;
    }
    const next = hits[n + 1];
    const behind = now.slice(end, next?.start);
    const ends = next === undefined ? [recorded.length - behind.length] : endsOf(recorded, behind, at);
    const valueEnd = ends.find((each) => each > at && isValue(token, type, recorded.slice(at, each)));
    if (valueEnd === undefined) return null;
    at = valueEnd;
    found++;
  }
  return recorded.slice(at) === now.slice(from) ? found : null;
}

/** Where a value that begins at `at` may end: before each place of the text that follows it. */
function endsOf(recorded: string, behind: string, at: number): number[] {
  const ends: number[] = [];
  for (let end = recorded.indexOf(behind, at + 1); end !== -1; end = recorded.indexOf(behind, end + 1)) {
    if (end - at > LONGEST_VALUE || end >= recorded.length) break;
    ends.push(end);
  }
  return ends;
}
