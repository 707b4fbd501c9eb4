import type { Tokenizer } from "../token/tokenizer.ts";
import type { Change } from "./change.ts";

/** What queues give of a message and of its attributes, as a member of JSON, within a text of JSON, and as an element. */
const DIGEST =
  /\bMD5Of(?:Message)?(?:Body|Attributes|SystemAttributes)(?:\\*"\s*:\s*\\*"|>)([0-9a-f]{32})(?![0-9a-f])/g;

/**
 * Changes that also replace the digests of messages, where any part of the text is replaced: guesses of what it was can be
 * tested against them.
 */
export function withMessageDigests(text: string, changes: readonly Change[], tokenizer: Tokenizer): readonly Change[] {
  if (changes.length === 0 || !text.includes("MD5Of")) return changes;
  const found: Change[] = [];
  for (const match of text.matchAll(DIGEST)) {
    const digest = match[1] as string;
    const end = match.index + match[0].length;
    const start = end - digest.length;
    if (changes.every((each) => each.end <= start || end <= each.start))
      found.push({ start, end, type: "SECRET", with: tokenizer.token("SECRET", digest) });
  }
  return found.length === 0 ? changes : [...changes, ...found].sort((a, b) => a.start - b.start);
}
