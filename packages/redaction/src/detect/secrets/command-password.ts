import type { Hit } from "../../scan/hit.ts";
import type { Area } from "../area.ts";
import { isSpace } from "../character.ts";
import { cookies } from "./cookie.ts";
import { isPlaceholder } from "./placeholder.ts";

const LOOK_BACK = 256;
const CURL_LOOK_BACK = 2048;
const SHORTEST = 5;
const [DASH, EQUALS] = [45, 61];
/** Programs that take a password, or a session, behind a short option. */
const COMMANDS: Readonly<Record<string, RegExp>> = {
  p: /\b(?:mysql(?:dump|admin|import)?|mariadb(?:-dump|-admin)?|sshpass|(?:docker|podman|nerdctl|helm|oras|skopeo|az|cf|oc|buildah)\b[^\n|;&]{0,40}\blogin|mongo(?:sh|dump|restore|export|import)?|7z|cqlsh|psexec(?:64)?(?:\.exe)?|twine)\b[^\n|;&]{0,200}$/,
  a: /\b(?:redis-cli|https?|xh)\s[^\n|;&]{0,200}$/,
  P: /\b(?:ipmitool|sqlcmd|bcp|zip)\b[^\n|;&]{0,200}$/,
  A: /\bsnmp(?:walk|get|getnext|set|bulkwalk|bulkget|table|trap)\b[^\n|;&]{0,200}$/,
  X: /\bsnmp(?:walk|get|getnext|set|bulkwalk|bulkget|table|trap)\b[^\n|;&]{0,200}$/,
  U: /\b(?:smb(?:client|get|map|cacls)|rpcclient|winexe|wmic)\b[^\n|;&]{0,200}$/,
  w: /\bldap(?:search|modify|add|delete|passwd)\b[^\n|;&]{0,200}$/,
  N: /\bssh-keygen\b[^\n|;&]{0,200}$/,
  k: /\bopenssl\s+(?:enc|aes|aria|camellia|des3?)\b[^\n|;&]{0,200}$/,
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
  const option = optionAt(text, at, area);
  if (option === null) return null;
  const command = commandOf(text, option, area.from);
  if (command === null || !takesValue(option, command)) return null;
  const argument = argumentAt(text, option.isGlued ? option.end : option.end + 1, area.to);
  if (argument === null) return null;
  if (isCookieOption(option)) {
    cookies(text, argument.start, area, false);
    return null;
  }
  const start = passwordStart(text, argument, option, command);
  if (start === -1) return null;
  const { end } = argument;
  return isNoPassword(text.slice(start, end)) ? null : { start, end, type: "AUTH", rule: "auth.assignment" };
}

/** An option of a command line. */
interface Option {
  /** a letter, or `cookie` */
  readonly name: string;
  /** where its dash stands, the first of two */
  readonly dash: number;
  /** behind its name */
  readonly end: number;
  /** its value follows without a space or an equals sign */
  readonly isGlued: boolean;
}

/** The option whose letter stands at `at`; null: there is none, or one of curl in a text that does not name curl. */
function optionAt(text: string, at: number, area: Area): Option | null {
  if (!isSpace(text.charCodeAt(at - 2)) && text.charCodeAt(at - 2) !== DASH) return null;
  const isLong = text.startsWith("-cookie", at - 1);
  const name = isLong ? "cookie" : (text[at] ?? "");
  const dash = isLong ? at - 2 : at - 1;
  if (dash <= area.from || !isSpace(text.charCodeAt(dash - 1))) return null;
  if ((isLong || name === "b") && !(area.namesCurl ??= text.includes("curl"))) return null;
  const end = at + (isLong ? name.length : 1);
  const isGlued = !isSpace(text.charCodeAt(end)) && text.charCodeAt(end) !== EQUALS;
  return { name, dash, end, isGlued };
}

/** Of curl alone. */
const isCookieOption = ({ name }: Option): boolean => name === "b" || name === "cookie";

/** What stands before an option, from the program on that takes it; null: there is none. */
function commandOf(text: string, option: Option, from: number): string | null {
  const pattern = COMMANDS[option.name];
  // curl is the only program of these options: it need not be the nearest one
  if (option.name.length > 1 || option.name === "b")
    return pattern?.exec(text.slice(Math.max(from, option.dash - CURL_LOOK_BACK), option.dash))?.[0] ?? null;
  return lastCommand(pattern, text.slice(Math.max(from, option.dash - LOOK_BACK), option.dash));
}

/** Whether a value of the option follows: MySQL's programs ask for one that is not glued to it. */
function takesValue({ name, isGlued }: Option, command: string): boolean {
  if (isGlued) return name === "p" || name === "P";
  return !/^(?:mysql|mariadb)/.test(command);
}

/** The argument at `at` without its quotes; null: there is none. */
function argumentAt(text: string, at: number, to: number): { readonly start: number; readonly end: number } | null {
  ARGUMENT.lastIndex = at;
  const argument = ARGUMENT.exec(text)?.[1];
  if (argument === undefined || ARGUMENT.lastIndex > to) return null;
  const quotes = /^["']/.test(argument) ? 1 : 0;
  return { start: ARGUMENT.lastIndex - argument.length + quotes, end: ARGUMENT.lastIndex - quotes };
}

/** Where the password begins in an argument: behind the user's name where the program takes both; -1: it holds none. */
function passwordStart(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  { name }: Option,
  command: string,
): number {
  const mark = /^(?:https?|xh)/.test(command) ? ":" : name === "U" ? "%" : "";
  if (mark === "") return start;
  const at = text.slice(start, end).indexOf(mark);
  return at === -1 ? -1 : start + at + 1;
}

/** Too short, a number or a port, a word, a path, an option, or a placeholder. */
const isNoPassword = (found: string): boolean =>
  found.length < SHORTEST || /^(?:\d{1,5}(?::\d{1,5})?|[a-z]{1,12}|[./~-].*)$/.test(found) || isPlaceholder(found);

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
  const argument = argumentAt(text, WORDS.lastIndex, area.to);
  if (argument === null) return null;
  const { start, end } = argument;
  const found = text.slice(start, end);
  return found.length < SHORTEST || /^[-$([]/.test(found) || isPlaceholder(found)
    ? null
    : { start, end, type: "AUTH", rule: "auth.assignment" };
}
