import type { Hit } from "../../scan/hit.ts";
import type { Area } from "../area.ts";
import { isSpace } from "../character.ts";
import { cookies } from "./cookie.ts";
import { isPlaceholder } from "./placeholder.ts";

const LOOK_BACK = 256;
/** Programs that take a password, or a session, behind a short option. */
const COMMANDS: Readonly<Record<string, RegExp>> = {
  p: /\b(?:mysql(?:dump|admin|import)?|mariadb(?:-dump|-admin)?|sshpass|(?:docker|podman|nerdctl|helm|oras|skopeo|az|cf|oc|buildah)\b[^\n|;&]{0,40}\blogin|mongo(?:sh|dump|restore|export|import)?|7z|cqlsh|psexec(?:64)?(?:\.exe)?|twine)\b[^\n|;&]{0,200}$/,
  a: /\b(?:redis-cli|https?|xh)\s[^\n|;&]{0,200}$/,
  P: /\b(?:ipmitool|sqlcmd|bcp|zip)\b[^\n|;&]{0,200}$/,
  A: /\bsnmp(?:walk|get|getnext|set|bulkwalk|bulkget|table|trap)\b[^\n|;&]{0,200}$/,
  X: /\bsnmp(?:walk|get|getnext|set|bulkwalk|bulkget|table|trap)\b[^\n|;&]{0,200}$/,
  U: /\b(?:smb(?:client|get|map|cacls)|rpcclient|winexe|wmic)\b[^\n|;&]{0,200}$/,
  w: /\bldap(?:search|modify|add|delete|passwd)\b[^\n|;&]{0,200}$/,
  b: /\bcurl\b[^\n|;&]{0,2000}$/,
  cookie: /\bcurl\b[^\n|;&]{0,2000}$/,
};
/** Options of several letters behind one dash that take a password, and PowerShell's command for one. */
const WORDS = /(?:-(?:storepass|keypass|srcstorepass|deststorepass)|ConvertTo-SecureString(?: -String)?)[ \t]{1,3}/y;
const ARGUMENT = /("[^"\n]{1,1024}"|'[^'\n]{1,1024}'|[^\s"'|;&]{1,512})/y;

/** `mysql -pXy7…`, `sshpass -p Xy7…`, `redis-cli -a Xy7…`, `curl -b session=…`: the letter of the option stands at `at`. */
export function commandPassword(text: string, at: number, area: Area): Hit | null {
  const second = WORD_LETTERS[text[at] ?? ""];
  const named = second?.includes(text[at + 1] ?? " ") ? namedArgument(text, at, area) : null;
  if (named !== null) return named;
  if (!isSpace(text.charCodeAt(at - 2)) && text.charCodeAt(at - 2) !== 45) return null;
  const isLong = text.startsWith("-cookie", at - 1);
  const option = isLong ? "cookie" : (text[at] ?? "");
  const dash = isLong ? at - 2 : at - 1;
  if (dash <= area.from || !isSpace(text.charCodeAt(dash - 1))) return null;
  if ((isLong || option === "b") && !(area.namesCurl ??= text.includes("curl"))) return null;
  const begin = at + (isLong ? option.length : 1);
  const glued = !isSpace(text.charCodeAt(begin)) && text.charCodeAt(begin) !== 61;
  const back = option.length > 1 || option === "b" ? 2048 : LOOK_BACK;
  const before = text.slice(Math.max(area.from, dash - back), dash);
  // curl is the only program of these options: it need not be the nearest one
  const command =
    back === LOOK_BACK ? lastCommand(COMMANDS[option], before) : (COMMANDS[option]?.exec(before)?.[0] ?? null);
  if (command === null || (glued && option !== "p" && option !== "P")) return null;
  // without a value of its own this program asks for one
  if (!glued && /^(?:mysql|mariadb)/.test(command)) return null;
  ARGUMENT.lastIndex = glued ? begin : begin + 1;
  const argument = ARGUMENT.exec(text)?.[1];
  if (argument === undefined || ARGUMENT.lastIndex > area.to) return null;
  const isQuoted = /^["']/.test(argument);
  let start = ARGUMENT.lastIndex - argument.length + (isQuoted ? 1 : 0);
  const end = ARGUMENT.lastIndex - (isQuoted ? 1 : 0);
  if (option === "b" || option === "cookie") {
    cookies(text, start, area, false);
    return null;
  }
  if (/^(?:https?|xh)/.test(command)) {
    const colon = text.slice(start, end).indexOf(":");
    if (colon === -1) return null;
    start += colon + 1;
  }
  if (option === "U") {
    const percent = text.slice(start, end).indexOf("%");
    if (percent === -1) return null;
    start += percent + 1;
  }
  const found = text.slice(start, end);
  if (found.length < 5 || /^(?:\d{1,5}(?::\d{1,5})?|[a-z]{1,12}|[./~-].*)$/.test(found) || isPlaceholder(found))
    return null;
  return { start, end, type: "AUTH", rule: "auth.assignment" };
}

const MOST_LOOKS = 4;

/** What stands before an option, from the nearest program on that takes it; null: there is none. */
function lastCommand(pattern: RegExp | undefined, before: string): string | null {
  let command: string | null = null;
  let found = pattern?.exec(before)?.[0];
  // a text of nothing but programs costs no more than so many looks
  for (let looks = 0; found !== undefined && looks < MOST_LOOKS; looks++) {
    command = found;
    found = pattern?.exec(found.slice(1))?.[0];
  }
  return command;
}

/** The first letter of each of these words, and what may be the second. */
const WORD_LETTERS: Readonly<Record<string, string>> = { s: "tr", k: "e", S: "e" };
const COMMAND_HEAD = "ConvertTo-".length;

/** `keytool -storepass Xy7…`, `ConvertTo-SecureString "Xy7…"`: the letter behind the dash stands at `at`. */
function namedArgument(text: string, at: number, area: Area): Hit | null {
  WORDS.lastIndex = text[at] === "S" ? at - COMMAND_HEAD : at - 1;
  if (WORDS.lastIndex < area.from || !WORDS.test(text)) return null;
  ARGUMENT.lastIndex = WORDS.lastIndex;
  const argument = ARGUMENT.exec(text)?.[1];
  if (argument === undefined || ARGUMENT.lastIndex > area.to) return null;
  const quotes = /^["']/.test(argument) ? 1 : 0;
  const [start, end] = [ARGUMENT.lastIndex - argument.length + quotes, ARGUMENT.lastIndex - quotes];
  const found = text.slice(start, end);
  return found.length < 5 || /^[-$([]/.test(found) || isPlaceholder(found)
    ? null
    : { start, end, type: "AUTH", rule: "auth.assignment" };
}
