import { hash } from "node:crypto";
import { findTokens } from "../token/token.ts";

/** What is known of the error with which a run ended. */
export interface ErrorIdentity {
  readonly class: string;
  readonly name: string;
  readonly message: string;
  readonly code?: string | number | undefined;
  /** operation of the step that failed with it; null: not known */
  readonly op: string | null;
}

/** Characters of a message that count. */
const LONGEST = 300;

/**
 * What changes from one time to the next while the error stays the same. The order counts: what is longer, and holds others, comes first.
 */
const VARYING: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>`)\]]+/gi, "<url>"],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, "<address>"],
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, "<id>"],
  [/\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g, "<time>"],
  // an address with its port; [::1] too
  [/\[[0-9a-f:]{2,}\](?::\d+)?|\b(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?\b/gi, "<address>"],
  [/\b(?:[\w-]+\.)+[a-z]{2,}:\d+\b|\blocalhost:\d+\b/gi, "<address>"],
  [/(?<![\w/.])(?:[A-Z]:)?(?:[/\\][\w.@~+-]+){2,}[/\\]?/g, "<path>"],
  [/\b0x[0-9a-f]+\b/gi, "<id>"],
  // `req_7f3aB9`, `call-19xk…`, a digest: long, and digits among letters
  [/\b(?=[\w-]*\d[\w-]*\d)(?=[\w-]*[a-z])[\w-]{10,}\b/gi, "<id>"],
  [/[-+]?\d+(?:[.,]\d+)*/g, "<n>"],
];
/** The status of a response says which error it is. OpenAI's and Anthropic's clients begin their messages with it. */
const STATUS = /(?<=^|\bHTTP(?:\/[\d.]+)?[ :]{1,2}|\bstatus(?: code)?[ :=]{1,3}|\banswered )[1-5]\d\d(?=$|[\s,.;:)])/gi;
const DIGIT_WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/**
 * 16 hex digits, the same for errors that are the same: class, name, code, the operation that failed, and the first line of the message
 * without redacted values, ids, numbers, times, paths and addresses. This is the one place that says so.
 */
export function errorFingerprint({ class: kind, name, message, code, op }: ErrorIdentity): string {
  return hash("sha256", JSON.stringify([kind, name, code ?? null, op, sameText(message)])).slice(0, 16);
}

/** The message as it is compared. */
export function sameText(message: string): string {
  let text = message
    .trimStart()
    .split(/[\r\n]/, 1)[0]!
    .slice(0, LONGEST * 4);
  for (const { token, type } of findTokens(text)) text = text.replace(token, () => `<${type}>`);
  text = text.replace(STATUS, (status) => [...status].map((digit) => DIGIT_WORDS[Number(digit)]).join("-"));
  for (const [pattern, word] of VARYING) text = text.replace(pattern, word);
  return text.replaceAll(/\s+/g, " ").trim().slice(0, LONGEST);
}
