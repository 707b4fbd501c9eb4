import { existsSync } from "node:fs";
import { join, relative, sep } from "node:path";
import type { ProjectTest } from "@reenact/collector";
import { DEFINITION_ENDING, type Fixture } from "@reenact/testing";
import { messageOf } from "../errors/cli-error.ts";
import { shellWords } from "../render/shell-words.ts";
import { fixtureAt, fixtureFilesIn, FIXTURES } from "./fixture-files.ts";
import { runnerOfFile, testFileOf } from "./run-test-file.ts";
import { type LastResult, lastResults } from "./last-results.ts";

export interface TestsPlace {
  /** folder of the project, absolute */
  readonly project: string;
  /** absolute */
  readonly store: string;
}

/** The words of a command over the tests of a project, with the store where it is not the usual one. */
export const testCommand = ({ project, store }: TestsPlace, ...words: string[]): string =>
  shellWords([
    "reenact",
    "test",
    ...words,
    ...(store === join(project, ".reenact") ? [] : ["--store", relative(project, store) || "."]),
  ]);

/** The fixtures of a project, and those elsewhere that the store has a result of, with their last results. */
export function projectTests(place: TestsPlace): ProjectTest[] {
  const results = new Map(lastResults(place.store).map((each) => [each.file, each]));
  const files = new Set([...fixtureFilesIn(FIXTURES, place.project), ...results.keys()]);
  const tests = [...files].map((file) => testOf(file, results.get(file), place));
  return tests.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.file < b.file ? -1 : 1));
}

function testOf(file: string, result: LastResult | undefined, place: TestsPlace): ProjectTest {
  const path = relative(place.project, file).split(sep).join("/");
  const { fixture, problem } = readAt(file);
  const definition = fixture?.definition ?? null;
  return {
    name: path.slice(path.lastIndexOf("/") + 1, -DEFINITION_ENDING.length),
    file: path,
    run: definition?.run ?? null,
    expect: definition === null ? null : definition.accepted === null ? definition.expect : "accepted",
    command: definition === null ? null : commandOf(definition.command === null, file, path, place),
    problem,
    last: result === undefined ? null : lastOf(result),
  };
}

function readAt(file: string): { fixture: Fixture | null; problem: string | null } {
  try {
    return { fixture: fixtureAt(file), problem: null };
  } catch (error) {
    return { fixture: null, problem: messageOf(error) };
  }
}

/** A fixture of a function is replayed by the test file that calls the function. */
function commandOf(isFunction: boolean, file: string, path: string, place: TestsPlace): string | null {
  if (!isFunction) return testCommand(place, path);
  if (!existsSync(testFileOf(file))) return null;
  return shellWords([
    ...(runnerOfFile(testFileOf(file)) === "vitest" ? ["npx", "vitest", "run"] : ["node", "--test"]),
    testFileOf(path),
  ]);
}

function lastOf(result: LastResult): ProjectTest["last"] {
  const { status, what, cause, step, replay, at, durationMs, isStale } = result;
  const { pointer = null, recorded = null, now = null } = result;
  return { status, what, cause, step, pointer, recorded, now, replay, at, durationMs, isStale };
}
