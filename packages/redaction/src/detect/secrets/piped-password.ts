import type { Hit } from "../../scan/hit.ts";
import type { Area } from "../area.ts";
import { isPlaceholder } from "./placeholder.ts";

/** Programs that read a password from standard input. */
const READER =
  /\|[ \t]{0,3}(?:sudo[ \t](?:[^\n|;&]{0,40}[ \t])?-\w{0,4}S\b|su\b|(?:sudo[ \t])?chpasswd\b|[^\n|;&]{0,120}(?:--password-stdin|--passphrase-fd[ =]0|--stdin)\b)/y;
const WRITER =
  /\b(?:echo|printf)[ \t]{1,3}(?:-[neE]{1,3}[ \t]{1,3})?("[^"\n]{1,200}"|'[^'\n]{1,200}'|[^\s"'|;&]{1,200})[ \t]{0,3}$/;
const LOOK_BACK = 240;
const SHORTEST = 5;

/** `echo Xy7… | sudo -S …`, `echo "ada:Xy7…" | chpasswd`: what a program is given as its password; the bar stands at `at`. */
export function pipedPassword(text: string, at: number, area: Area): Hit | null {
  READER.lastIndex = at;
  const reader = READER.exec(text)?.[0];
  if (reader === undefined) return null;
  const written = WRITER.exec(text.slice(Math.max(area.from, at - LOOK_BACK), at));
  if (written === null) return null;
  const argument = written[1] ?? "";
  let start = at - written[0].length + written[0].lastIndexOf(argument);
  let end = start + argument.length;
  if (/^["']/.test(argument)) {
    start++;
    end--;
  }
  const colon = reader.includes("chpasswd") ? text.slice(start, end).indexOf(":") : -1;
  if (colon !== -1) start += colon + 1;
  const found = text.slice(start, end);
  return found.length < SHORTEST || found.startsWith("$") || isPlaceholder(found)
    ? null
    : { start, end, type: "AUTH", rule: "auth.assignment" };
}
