import type { Hit } from "../../scan/hit.ts";
import type { Area } from "../area.ts";
import { isDigit } from "../character.ts";
import { isHex } from "../numbers/ip-address.ts";
import { entropyOf } from "./placeholder.ts";

/** Keys without a mark of their own, whose parts and the sign between them are all that tells them. */
const MAILGUN = /[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])/y;
const [HEAD, PART, DASH] = [32, 9, 45];
const FACEBOOK = /\|[A-Za-z0-9_-]{27}(?![\w-])/y;
const [SHORTEST_APP, LONGEST_APP] = [13, 17];
const LEAST_ENTROPY = 3.5;

/** `hex32-hex8-hex8`, as Mailgun gives out; the first dash stands at `at`. */
export function mailgunKey(text: string, at: number, { from, to }: Area): Hit | null {
  if (text.charCodeAt(at + PART) !== DASH || at - HEAD < from || !isHex(text.charCodeAt(at - HEAD))) return null;
  const start = at - HEAD;
  if (start > from && /[\w-]/.test(text.charAt(start - 1))) return null;
  MAILGUN.lastIndex = start;
  return MAILGUN.test(text) && MAILGUN.lastIndex <= to
    ? { start, end: MAILGUN.lastIndex, type: "KEY", rule: "key.mailgun-api" }
    : null;
}

/** `1234567890123456|aB3…`: the id of a Facebook app and its secret; the bar stands at `at`. */
export function appToken(text: string, at: number, { from, to }: Area): Hit | null {
  FACEBOOK.lastIndex = at;
  if (!FACEBOOK.test(text) || FACEBOOK.lastIndex > to) return null;
  const end = FACEBOOK.lastIndex;
  let start = at;
  while (start > from && at - start <= LONGEST_APP && isDigit(text.charCodeAt(start - 1))) start--;
  const secret = text.slice(at + 1, end);
  if (at - start < SHORTEST_APP || at - start > LONGEST_APP || (start > from && /[\w|]/.test(text.charAt(start - 1))))
    return null;
  return /[a-z]/.test(secret) && /[A-Z]/.test(secret) && entropyOf(secret) > LEAST_ENTROPY
    ? { start, end, type: "KEY", rule: "key.facebook-app" }
    : null;
}
