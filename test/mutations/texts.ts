import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Case, changed, type Suite } from "./edit.ts";

export const programs = fileURLToPath(new URL("programs", import.meta.url));

/** The files of a suite by name: the program, and those beside it. */
export function textsOf({ program, folder = programs, files = {} }: Suite): Readonly<Record<string, string>> {
  return { [program]: readFileSync(join(folder, program), "utf8"), ...files };
}

/** The same with the changes of a case. Throws where a change does not fit: the program has changed since. */
export function textsWith(
  texts: Readonly<Record<string, string>>,
  { program }: Pick<Suite, "program">,
  { file = program, changes }: Pick<Case, "file" | "changes">,
): Readonly<Record<string, string>> {
  return { ...texts, [file]: changed(texts[file] ?? "", changes, file) };
}
