import type { Hit } from "../../scan/hit.ts";
import { isSecretName } from "../../names/secret-name.ts";
import type { Area } from "../area.ts";
import { isCredential, kindsOf } from "./credential.ts";
import { entropyOf } from "./placeholder.ts";

const BELOW =
  /(?::[ \t]{0,3}(?:[|>][+-]?\d?)?)?[ \t]{0,3}\r?\n[ \t]{0,8}([^\s"'`<>{}()[\],;|\\]{8,512})[ \t]{0,3}(?=\r?\n|$)/y;
const BLOCK = /[ \t]{1,3}[|>][+-]?\d?[ \t]{0,3}\r?\n/y;
const LINE = /(?:^|\n)[ \t>*#-]{0,6}([A-Za-z][A-Za-z_ -]{0,30})$/;
const LONGEST_LINE = 40;
const LEAST = 12;
const LEAST_ENTROPY = 2.8;
const MOST_SPACE = 5;
const [TAB, FEED, RETURN, SPACE, COLON] = [9, 10, 13, 32, 58];

/** A secret name that has a line of its own, also as the head of a block of YAML, and the value alone on the next one; the name ends at `end`. */
export function labelAbove(text: string, end: number, area: Area): Hit | null {
  if (!isLineEnd(text, end)) return null;
  BELOW.lastIndex = end;
  const found = BELOW.exec(text)?.[1];
  if (found === undefined || BELOW.lastIndex > area.to) return null;
  // the next key of a mapping
  if (found.endsWith(":")) return null;
  const name = LINE.exec(text.slice(Math.max(area.from, end - LONGEST_LINE), end))?.[1];
  if (name === undefined || !isSecretName(name)) return null;
  // a short one is no word of a line below
  if (found.length < LEAST && (kindsOf(found) < 3 || !/:[ \t]*\r?\n[ \t]/.test(text.slice(end, end + 8)))) return null;
  if (!isCredential(found, false) || entropyOf(found) < LEAST_ENTROPY || /^[\w.+-]+@|=.*=./.test(found)) return null;
  const start = text.indexOf(found, end);
  return { start, end: start + found.length, type: "AUTH", rule: "auth.assignment" };
}

/** Whether nothing but a colon, the mark of a block and space follows in the line. */
function isLineEnd(text: string, end: number): boolean {
  let at = text.charCodeAt(end) === COLON ? end + 1 : end;
  if (at > end) {
    BLOCK.lastIndex = at;
    if (BLOCK.test(text)) return true;
  }
  while (at < end + MOST_SPACE && (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB)) at++;
  const unit = text.charCodeAt(at);
  return unit === FEED || unit === RETURN;
}
