import { readFileSync } from "node:fs";
import { expect } from "vitest";

/**
 * All property tests of a run draw their values from one seed, `TEST_SEED`. `test/run.mjs` draws it where it is not set, and
 * prints the command that repeats a failure; without it (vitest by hand) fast-check draws and prints a seed for each property.
 */
const seed = process.env["TEST_SEED"];
const file = expect.getState().testPath;
if (seed && file !== undefined && readFileSync(file, "utf8").includes('"fast-check"')) {
  const { configureGlobal, readConfigureGlobal } = await import("fast-check");
  configureGlobal({ ...readConfigureGlobal(), seed: Number(seed) });
}
