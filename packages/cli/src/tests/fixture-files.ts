import { globSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { DEFINITION_ENDING, type Fixture, FixtureError, readFixture } from "@reenact/testing";
import { CliError } from "../errors/cli-error.ts";

/** Where `reenact test add` puts fixtures. */
export const FIXTURES = "test/runs";

/**
 * The fixtures that these words name: files, folders, or names of fixtures below `folder`. No word: all of them. Throws
 * REEN-NO-TESTS where there is none, since a test run without tests must not look like success.
 */
export function fixturesOf(words: readonly string[], folder: string): Fixture[] {
  const files = new Set(words.length === 0 ? below(folder) : words.flatMap((word) => filesOf(word, folder)));
  if (files.size === 0)
    throw new CliError(
      "REEN-NO-TESTS",
      words.length === 0 ? `no fixture in ${folder}` : `no fixture ${words.join(", ")}`,
      "reenact test add @last, or name another folder with --dir",
    );
  return [...files].toSorted().map((file) => fixtureAt(file));
}

export function fixtureAt(file: string): Fixture {
  try {
    return readFixture(file);
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    throw new CliError("REEN-FIXTURE", error.message.replace(/\. Next: .*$/, ""), error.next, { cause: error });
  }
}

function filesOf(word: string, folder: string): string[] {
  const found = statSync(word, { throwIfNoEntry: false });
  if (found?.isDirectory() === true) return below(word);
  if (found?.isFile() === true || /[/\\]/.test(word)) return [resolve(word)];
  return below(folder).filter((file) => basename(file, DEFINITION_ENDING) === word);
}

const below = (folder: string): string[] => fixtureFilesIn(folder, process.cwd());

/** Absolute paths of the definitions below a folder, which is relative to another one; none where it is not there. */
export function fixtureFilesIn(folder: string, from: string): string[] {
  const cwd = resolve(from, folder);
  const found = globSync(`**/*${DEFINITION_ENDING}`, { cwd, exclude: ["**/node_modules/**"] });
  return found.map((file) => join(cwd, file));
}
