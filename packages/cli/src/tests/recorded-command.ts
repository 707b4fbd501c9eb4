import { existsSync } from "node:fs";
import { extname, isAbsolute, join, normalize } from "node:path";
import { findTokens } from "@reenact/envelope";
import type { Tape } from "@reenact/replay";

const PROGRAM = new Set([".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"]);

/**
 * The command of a recorded run: `node` and the program, where that is a file of this folder and nothing of the arguments was
 * redacted. A run may come from elsewhere: nothing else that it names is ever started. Null: the user has to give the command.
 */
export function recordedCommand({ root }: Tape, folder: string): string[] | null {
  const { entry, argv = [] } = root.process ?? {};
  if (entry === undefined || isAbsolute(entry) || normalize(entry).startsWith("..")) return null;
  if (!PROGRAM.has(extname(entry)) || !existsSync(join(folder, entry))) return null;
  return argv.some((arg) => [...findTokens(arg)].length > 0) ? null : ["node", entry, ...argv];
}
