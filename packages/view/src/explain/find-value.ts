import { oneLine } from "../text/plain-text.ts";
import { type JsonLeaf, leavesOf, parsedJson } from "../json/json-value.ts";
import type { ReadText } from "./read-texts.ts";

/** A text that holds a value of a call's arguments. */
export interface ValueSource extends Omit<ReadText, "text"> {
  /** where the value stands in a text that is JSON; null: in plain text */
  readonly pointer: string | null;
  /** "value": as it is. "other form": in other letters, or a number with separators. "part": only these words of it */
  readonly match: "value" | "other form" | "part";
  /** up to 80 characters of the text around it */
  readonly excerpt: string;
}

interface Found {
  readonly source: ValueSource;
  /** a value is where it is found best: 3 in a member of the same name, 2 as it is, 1 in another form or in part, or by chance */
  readonly rank: number;
}

const EXCERPT = 80;
const MOST_LEAVES = 20_000;
const MOST_WORDS = 60;

/** Shorter values are found in texts by chance. */
export const isShort = (value: JsonLeaf["value"]): boolean =>
  typeof value === "number" ? String(Math.abs(value)).length < 3 : String(value).length < 4;

/** A text, read once for all the values that are looked for in it. */
export interface PreparedText extends ReadText {
  /** its values, where it is JSON */
  readonly leaves: readonly JsonLeaf[];
  /** its words in small letters, with a space around each */
  readonly words: string;
}

export function prepared(texts: readonly ReadText[]): PreparedText[] {
  return texts.map((read) => ({
    ...read,
    leaves: leavesIn(read),
    words: ` ${wordsOf(read.text).join(" ").toLowerCase()} `,
  }));
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{N}@._-]+/gu) ?? [];

/** The examples and choices in a tool's definition are plain text to a model. */
function leavesIn({ kind, text }: ReadText): JsonLeaf[] {
  return kind === "tool definition" || !/^\s*[[{]/.test(text) ? [] : leavesOf(parsedJson(text), MOST_LEAVES);
}

/**
 * The texts that hold a value, in the order of `texts`: those that hold it best, all of them. True, false and null are in no text:
 * they are chosen.
 */
export function sourcesOf(leaf: JsonLeaf, texts: readonly PreparedText[]): ValueSource[] {
  if (typeof leaf.value === "boolean" || leaf.value === null || leaf.value === "") return [];
  const found = texts.flatMap((text) => foundIn(text, leaf) ?? []);
  const best = Math.max(...found.map(({ rank }) => rank));
  return found.filter(({ rank }) => rank === best).map(({ source }) => source);
}

function foundIn(text: PreparedText, leaf: JsonLeaf): Found | null {
  return foundInJson(text, leaf) ?? foundInText(text, leaf) ?? foundInPart(text, leaf);
}

function foundInJson(read: PreparedText, { value, member }: JsonLeaf): Found | null {
  const equal = read.leaves.filter(
    (each) => each.value !== null && typeof each.value !== "boolean" && String(each.value) === String(value),
  );
  const named = equal.find((each) => each.member !== "" && each.member === member);
  const best = named ?? equal[0];
  if (best === undefined) return null;
  const rank = named !== undefined && isShort(value) ? 3 : 2;
  return {
    rank,
    source: { ...place(read), pointer: best.pointer, match: "value", excerpt: oneLine(String(best.value), EXCERPT) },
  };
}

function foundInText(read: ReadText, { value }: JsonLeaf): Found | null {
  const wanted = String(value);
  const at = wordAt(read.text, wanted);
  if (at !== -1) {
    const source: ValueSource = {
      ...place(read),
      pointer: null,
      match: "value",
      excerpt: around(read.text, at, wanted.length),
    };
    return { rank: isShort(value) ? 1 : 2, source };
  }
  const other = otherFormAt(read.text, value);
  if (other === null) return null;
  const excerpt = around(read.text, other.at, other.length);
  return { rank: 1, source: { ...place(read), pointer: null, match: "other form", excerpt } };
}

/** Position of `wanted` where no letter or digit continues it; -1: nowhere. */
function wordAt(text: string, wanted: string): number {
  const isWord = (at: number): boolean => /[\p{L}\p{N}]/u.test(text[at] ?? "");
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const begins = !isWord(at) || !isWord(at - 1);
    const ends = !isWord(at + wanted.length - 1) || !isWord(at + wanted.length);
    if (begins && ends) return at;
  }
  return -1;
}

function otherFormAt(text: string, value: JsonLeaf["value"]): { at: number; length: number } | null {
  if (typeof value === "number") {
    const forms = [
      value.toLocaleString("en-US"),
      value.toFixed(2),
      value.toLocaleString("en-US", { minimumFractionDigits: 2 }),
    ];
    for (const form of forms) {
      const at = wordAt(text, form);
      if (at !== -1) return { at, length: form.length };
    }
    return null;
  }
  const wanted = String(value).toLowerCase();
  const at = wordAt(text.toLowerCase(), wanted);
  return at === -1 ? null : { at, length: wanted.length };
}

/** The longest row of words of a longer text that `read` holds: at least two words and half of all. */
function foundInPart(read: PreparedText, { value }: JsonLeaf): Found | null {
  if (typeof value !== "string") return null;
  const words = wordsOf(value);
  if (words.length < 3 || words.length > MOST_WORDS) return null;
  for (let length = words.length; length >= Math.max(2, words.length / 2); length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const part = words.slice(from, from + length).join(" ");
      if (read.words.includes(` ${part.toLowerCase()} `))
        return { rank: 1, source: { ...place(read), pointer: null, match: "part", excerpt: oneLine(part, EXCERPT) } };
    }
  }
  return null;
}

const place = ({ kind, step, name }: ReadText): Omit<ReadText, "text"> => ({ kind, step, name });

function around(text: string, at: number, length: number): string {
  const room = Math.max(0, Math.floor((EXCERPT - Math.min(length, EXCERPT)) / 2));
  const [from, to] = [Math.max(0, at - room), Math.min(text.length, at + length + room)];
  return oneLine(`${from > 0 ? "…" : ""}${text.slice(from, to)}${to < text.length ? "…" : ""}`, EXCERPT + 2);
}
