import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Runs suites of the collector against a server that the variables name, and expects them to pass. Returns what they printed. */
export async function runSuites(
  files: readonly string[],
  variables: Readonly<Record<string, string>>,
  project = "unit",
): Promise<string> {
  // of the run that this one is a part of
  const { VITEST: _v, VITEST_WORKER_ID: _w, VITEST_POOL_ID: _p, ...rest } = process.env;
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", "--project", project, ...files], {
    cwd: root,
    env: { ...rest, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let told = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes: Buffer) => (told += bytes.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  expect(code, told).toBe(0);
  return told;
}
