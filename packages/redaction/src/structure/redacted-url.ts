import { findTokens } from "@reenact/envelope";
import type { Change } from "../scrub/change.ts";

/** What stands before a token where only a URL can stand: code that got one may ask for its parts. */
export const REDACTED = "redacted:";

/** A URL that stands for a token is the token where any text can stand; null: the text is none. */
export function tokenOfUrl(text: string): readonly Change[] | null {
  if (!text.startsWith(REDACTED)) return null;
  const [token] = findTokens(text);
  return token?.start === REDACTED.length && token.end === text.length
    ? [{ start: 0, end: REDACTED.length, with: "", type: null }]
    : null;
}
