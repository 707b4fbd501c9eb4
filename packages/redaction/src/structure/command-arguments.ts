import { findTokens } from "@reenact/envelope";
import type { Leaf } from "./json-leaf.ts";
import { createScanner, type Scanner } from "../scan/scan.ts";

/** UTF-16 units; longer arguments are not read. */
export const LONGEST_ARGUMENT = 1024;
/** what a policy leaves behind instead of a token */
const MASKED = /[A-Z]_MASKED/;
const NAMES_SECRET = /(?:pass|passwd|password|passphrase|token|secret|auth|key)$/i;
let scanner: Scanner | null = null;

/**
 * Indices of the arguments of a command in which something is found behind an option, or behind the name of a secret, and nothing
 * in them alone. Null: an argument that is too long to be read.
 */
export function secretArguments(command: readonly (string | null)[]): number[] {
  const { scan } = (scanner ??= createScanner((type) => type === "AUTH"));
  const ends: number[] = [];
  let text = "";
  for (const argument of command.map((each) => each ?? "_")) {
    text += /^[\w@%+=:,./~-]*$|^-/.test(argument) ? `${argument} ` : `"${argument}" `;
    ends.push(text.length);
  }
  const found: number[] = [];
  let at = 0;
  for (const { start, end } of scan(text, 0, text.length)) {
    while ((ends[at] ?? text.length) <= start) at++;
    const argument = command[at] ?? "";
    const before = command[at - 1] ?? "";
    const isBehind = argument.startsWith("-") || before.startsWith("-") || NAMES_SECRET.test(before);
    if (end <= (ends[at] ?? 0) && isBehind && isClean(argument, scan)) found.push(at);
  }
  return found;
}

/** One that holds a token has been redacted before. */
const isClean = (argument: string, scan: Scanner["scan"]): boolean =>
  findTokens(argument).length === 0 && !MASKED.test(argument) && scan(argument, 0, argument.length).length === 0;

const PROGRAM_NAMES = new Set(["command", "cmd", "program", "executable", "file", "path", "spawnfile"]);

/** Whether a leaf names the program to which a list of arguments beside it is given. */
export const isProgram = ({ member, frame, isName, isNumber }: Leaf): boolean =>
  !isName && !isNumber && frame?.array === false && PROGRAM_NAMES.has(member);

const DASH = 45;
const LISTS = new Set(["args", "argv", "arguments", "spawnargs", "command", "cmd"]);
const OPTION = /--?[A-Za-z]/y;
/** Whether a list is the arguments of a command: by its name, or since an element, which stands at `at`, is an option. */
export function isArgument(list: string, text: string, at: number): boolean {
  if (LISTS.has(list)) return true;
  if (text.charCodeAt(at) !== DASH) return false;
  OPTION.lastIndex = at;
  return OPTION.test(text);
}
