import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { type Definition, DEFINITION_ENDING, definitionText, RUN_ENDING } from "@reenact/testing";
import { CliError } from "../errors/cli-error.ts";
import { writeOutput } from "../process/write-output.ts";
import { type Runner, RUNNERS, type TestedFunction, testFile } from "./test-file.ts";

export interface NewFixture {
  readonly name: string;
  /** folder of the three files */
  readonly folder: string;
  /** folder in which the command is started */
  readonly project: string;
  readonly bytes: Uint8Array;
  readonly definition: Omit<Definition, "schemaVersion" | "folder" | "accepted">;
  readonly runner: Runner;
  readonly fn: TestedFunction | null;
  /** replaces files that are there */
  readonly force: boolean;
}

export interface WrittenFixture {
  readonly envelope: string;
  readonly definition: string;
  readonly test: string;
}

/** Writes the run, its definition and its test. Nothing is replaced unless that is asked for, and nothing is left half written. */
export function addFixture(given: NewFixture): WrittenFixture {
  const { name, folder, project, definition, runner, fn } = given;
  const stem = join(folder, name);
  const files = {
    envelope: `${stem}${RUN_ENDING}`,
    definition: `${stem}${DEFINITION_ENDING}`,
    test: `${stem}.test.mjs`,
  };
  const there = Object.values(files).filter((file) => existsSync(file));
  if (there.length > 0 && !given.force)
    throw new CliError(
      "REEN-OUTPUT",
      `${there.join(", ")} ${there.length === 1 ? "is" : "are"} there already`,
      "name another fixture with --name, or replace it with --force",
    );
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw CliError.store(folder, "cannot make the folder", error);
  }
  const sentence =
    definition.expect === "same"
      ? "Fails where the agent does something else than it did in the recorded run."
      : "The recorded run failed: passes once the agent leaves it, and fails while it does the same again.";
  const whole: Definition = {
    schemaVersion: 1,
    ...definition,
    folder: relative(resolve(folder), resolve(project)).split(sep).join("/") || ".",
    accepted: null,
  };
  const written: string[] = [];
  try {
    for (const [file, content] of [
      [files.envelope, given.bytes],
      [files.definition, definitionText(whole)],
      [files.test, testFile(name, { runner, folder, fn, sentence })],
    ] as const) {
      writeOutput(file, content);
      written.push(file);
    }
  } catch (error) {
    for (const file of written) if (!there.includes(file)) rmSync(file, { force: true });
    throw error;
  }
  return files;
}

/** The runner that the project depends on; Node's own where it depends on none. */
export function runnerOf(project: string): Runner {
  let manifest: { dependencies?: Record<string, string>; devDependencies?: Record<string, string> };
  try {
    manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as typeof manifest;
  } catch {
    return "node";
  }
  const all = { ...manifest.dependencies, ...manifest.devDependencies };
  return RUNNERS.find((runner) => Object.hasOwn(all, runner)) ?? "node";
}

/** A name for files, from the name of a run and its id. */
export function fixtureName(runName: string, run: string): string {
  const words = runName
    .replace(/\.[cm]?[jt]s$/, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60);
  return words === "" ? run.slice(0, 6) : `${words}-${run.slice(0, 6)}`;
}
