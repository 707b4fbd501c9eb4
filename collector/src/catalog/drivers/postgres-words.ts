import { hash } from "node:crypto";
import { comparable } from "../row-fields.ts";
import { wordsOf } from "../words.ts";

/** A tsvector takes no lexeme over 2,046 bytes. */
const LONGEST = 1_000;
const lexemeOf = (word: string): string => (Buffer.byteLength(word) <= LONGEST ? word : `#${hash("sha256", word)}`);

/**
 * How a text is searched: `lexemes` for the index; and its words in order, since positions in a tsvector end at 16,383 and at 256
 * of one word, behind which a phrase would not be found.
 */
export interface IndexedText {
  readonly lexemes: readonly string[];
  /** the words with one space before, between and behind them */
  readonly words: string;
}

export function indexedText(text: string): IndexedText {
  const words = wordsOf(comparable(text));
  return { lexemes: [...new Set(words.map(lexemeOf))], words: ` ${words.join(" ")} ` };
}

/** What finds the phrase; `query`: a tsquery of its words; null: the text has no word. */
export function phraseOf(
  text: string,
): { readonly query: string; readonly words: string; readonly isWord: boolean } | null {
  const { lexemes, words } = indexedText(text);
  if (lexemes.length === 0) return null;
  // words are letters and digits: there is no quote in them
  const query = lexemes.map((each) => `'${each}'`).join(" & ");
  return { query, words, isWord: words.trim() === lexemes[0] };
}
