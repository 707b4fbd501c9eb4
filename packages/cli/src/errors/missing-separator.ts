import type { Command, Option } from "commander";
import { CliError } from "./cli-error.ts";
import { redactedCommand } from "../redact/redacted-command.ts";
import { shellWords } from "../render/shell-words.ts";

/** Commands that take a command of the user's, and the number of their own arguments before it. */
const OWN_WORDS: ReadonlyMap<string, number> = new Map([
  ["run", 0],
  ["replay", 1],
  ["resume", 1],
  ["serve", 1],
  ["bisect", 3],
  ["doctor", 0],
]);

/** The first word of a command line, which is no run reference. */
const STARTER =
  /^(?:node|nodejs|npm|npx|pnpm|yarn|bun|bunx|deno|tsx|ts-node|sh|bash|python3?|\.{0,2}\/.*\.[cm]?[jt]s)$/;

/**
 * Throws REEN-USAGE with the corrected command line if the user's command is not preceded by `--`.
 * `own`: the words before the first `--`; `command`: the words after it, null if there is no `--`.
 */
export function refuseMissingSeparator(program: Command, own: readonly string[], command: string[] | null): void {
  const [name = ""] = own;
  const most = OWN_WORDS.get(name);
  const called = program.commands.find((each) => each.name() === name);
  if (most === undefined || called === undefined) return;
  const words = positions(called, own);
  const [first] = words;
  const lacksRun = most === 1 && command === null && first !== undefined && STARTER.test(own[first] ?? "");
  const at = lacksRun ? first : words[most];
  // help, and options that are mistyped, are answered as such
  if (at === undefined || own.slice(0, at).some((word) => word.startsWith("-") && optionOf(called, word) === undefined))
    return;
  const users = redactedCommand([...own.slice(at), ...(command === null ? [] : ["--", ...command])], {
    store: ".reenact",
  });
  const meant = [...own.slice(0, at), ...(lacksRun ? ["@last"] : []), "--", ...users];
  throw new CliError(
    "REEN-USAGE",
    lacksRun
      ? "no run named, and no -- before your command"
      : `put -- before your command (${shellWords([users[0] ?? ""])} …)`,
    `reenact ${shellWords(meant)}`,
  );
}

/** Places of the words that are neither an option nor its value. */
function positions(called: Command, own: readonly string[]): number[] {
  const places: number[] = [];
  for (let i = 1; i < own.length; i++) {
    const word = own[i] as string;
    if (!word.startsWith("-") || word === "-") places.push(i);
    else if (!word.includes("=") && optionOf(called, word)?.required === true) i++;
  }
  return places;
}

function optionOf(called: Command, word: string): Option | undefined {
  const [name] = word.split("=");
  return called.options.find(({ long, short }) => long === name || short === name);
}
