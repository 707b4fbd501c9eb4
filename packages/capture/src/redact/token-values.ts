import { findTokens } from "@reenact/envelope";
import type { TokenValues } from "./kept.ts";

/** The values of a stream's tokens: of a value that is sent in pieces the token stands in the first of them. */
export function streamTokenValues(redacted: string, original: string, keeps: (type: string) => boolean): TokenValues {
  const [ones, others] = [joinedTexts(redacted), joinedTexts(original)];
  const found = [...ones].map(([path, text]) => tokenValues(text, others.get(path) ?? "", keeps));
  return Object.assign({}, ...found);
}

const DATA = /^(?:data: ?)?([[{].*)$/gm;

/** Strings that stand at one place of a stream's documents, one after another. */
function joinedTexts(stream: string): Map<string, string> {
  const texts = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value === "string") texts.set(path, (texts.get(path) ?? "") + value);
    else if (typeof value === "object" && value !== null)
      for (const [key, each] of Object.entries(value)) walk(each, `${path}/${key}`);
  };
  for (const [, document = ""] of stream.matchAll(DATA)) {
    try {
      walk(JSON.parse(document), "");
    } catch {
      // a line of a longer text
    }
  }
  return texts;
}

/** So much of the text behind a token decides where its original ends. */
const ANCHOR = 32;
const LONGEST = 4096;

/**
 * What stood in the place of the tokens of a redacted text, read from the text without its redaction. For people: where
 * the text between two tokens does not decide where the original ends, the first way that fits is taken, and what
 * does not fit is left out.
 */
export function tokenValues(redacted: string, original: string, keeps: (type: string) => boolean): TokenValues {
  const values: Record<string, string> = {};
  const hits = findTokens(redacted).filter(({ type, token }) => keeps(type) && !original.includes(token));
  let at = 0;
  let from = 0;
  for (const [n, { start, end, token }] of hits.entries()) {
    const between = redacted.slice(from, start);
    const begins = n === 0 && original.startsWith(between) ? 0 : original.indexOf(between.slice(-ANCHOR), at);
    if (begins === -1) break;
    const first = begins + (begins === 0 && n === 0 ? between.length : Math.min(between.length, ANCHOR));
    const next = hits[n + 1]?.start ?? redacted.length;
    const behind = redacted.slice(end, Math.min(next, end + ANCHOR));
    const stop = behind === "" ? (next === redacted.length ? original.length : -1) : original.indexOf(behind, first);
    if (stop === -1) break;
    const value = original.slice(first, stop);
    if (value.length > 0 && value.length <= LONGEST && values[token] === undefined) values[token] = value;
    at = stop;
    from = end;
  }
  return values;
}
