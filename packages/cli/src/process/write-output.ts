import { writeFileSync } from "node:fs";
import { CliError, messageOf } from "../errors/cli-error.ts";

/** Writes a file that the user has named. */
export function writeOutput(path: string, content: string | Uint8Array): void {
  try {
    writeFileSync(path, content);
  } catch (error) {
    throw new CliError(
      "REEN-OUTPUT",
      `cannot write ${path}: ${messageOf(error)}`,
      "name a file in a folder that is there",
      {
        cause: error,
      },
    );
  }
}
