import { readFileSync } from "node:fs";
import { expect } from "vitest";

/**
 * A property test draws new values each time it runs; with `TEST_SEED` all of them draw the same ones again. So does
 * `.ci/run`: what it says of a change is then about the change, and not about a value that nobody had tried before. New
 * values are found by every `npm test`, and by hand with `TEST_SCALE=full`.
 */
const seed = process.env["TEST_SEED"];
const file = expect.getState().testPath;
if (seed && file !== undefined && readFileSync(file, "utf8").includes('"fast-check"')) {
  const { configureGlobal, readConfigureGlobal } = await import("fast-check");
  configureGlobal({ ...readConfigureGlobal(), seed: Number(seed) });
}
