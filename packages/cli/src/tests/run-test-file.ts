import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DEFINITION_ENDING, type Fixture, TOLD_VARIABLE, type ToldResult } from "@reenact/testing";
import { environment } from "../process/environment.ts";
import type { RunOptions } from "./run-fixtures.ts";
import type { Runner } from "./test-file.ts";

/** Loading a test runner is no part of the replay's own time. */
const STARTING_MS = 60_000;
/** Characters at the end of the output that are kept for a message. */
const KEPT = 64 * 1024;
const LINES = 20;

type Result = Pick<ToldResult, "pass" | "message" | "cause"> & { readonly outcome: ToldResult["outcome"] | null };

/** Path of the test file beside the definition of a fixture, as `reenact test add` writes it. */
export const testFileOf = (definitionFile: string): string =>
  `${definitionFile.slice(0, -DEFINITION_ENDING.length)}.test.mjs`;

/** Runs the test file of a fixture with the project's test runner, from the record. Passes if the file does. */
export async function runTestFile(fixture: Fixture, { store, timeoutMs }: RunOptions): Promise<Result> {
  const { name, folder, definitionFile } = fixture;
  const file = testFileOf(definitionFile);
  const failed = (why: string): Result => ({ pass: false, message: `${name}: ${why}`, cause: null, outcome: null });
  if (!existsSync(file)) return failed("it calls a function of the project, and has no test file that does");
  const words = runnerWords(file, folder);
  if (words === null) return failed(`vitest is not installed in ${folder}`);
  const scratch = mkdtempSync(join(tmpdir(), "reenact-test-file-"));
  try {
    const told = join(scratch, "told.jsonl");
    const env = {
      ...environment(),
      ...(store !== undefined && { REENACT_STORE: store }),
      REENACT_MODE: "replay",
      [TOLD_VARIABLE]: told,
    };
    const { code, printed } = await ended([...words, file], { cwd: folder, env, timeoutMs: timeoutMs + STARTING_MS });
    const result = toldOf(told, definitionFile);
    if (code === 0 && result === null) return failed("its test file has not replayed it");
    if (code === 0) return { ...result!, pass: true, cause: null };
    if (result?.pass === false) return result;
    const lines = printed.trimEnd().split("\n").slice(-LINES);
    return failed(["its test file fails; it printed:", ...lines.map((line) => `  ${line}`)].join("\n"));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The runner that a test file imports. */
export const runnerOfFile = (file: string): Runner =>
  /\bfrom\s*["'](?:@reenact\/)?vitest["']/.test(readFileSync(file, "utf8")) ? "vitest" : "node";

/** Arguments of Node before the test file; null: its runner is not installed in the project. */
function runnerWords(file: string, project: string): string[] | null {
  if (runnerOfFile(file) !== "vitest") return ["--test"];
  try {
    const manifest = createRequire(join(project, "package.json")).resolve("vitest/package.json");
    return [join(dirname(manifest), "vitest.mjs"), "run", "--no-color"];
  } catch {
    return null;
  }
}

interface Started {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly timeoutMs: number;
}

/** Ends with all that the runner has started; `code` null: a signal ended it. */
function ended(args: readonly string[], { cwd, env, timeoutMs }: Started) {
  const { promise, resolve } = Promise.withResolvers<{ readonly code: number | null; readonly printed: string }>();
  const detached = process.platform !== "win32";
  const child = spawn(process.execPath, args, { cwd, env, detached, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => (printed = `${printed}${bytes.toString()}`.slice(-KEPT)));
  const kill = (): void => {
    try {
      if (detached && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    } catch {
      // gone already
    }
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, kill);
  const clock = setTimeout(kill, timeoutMs);
  const done = (code: number | null): void => {
    clearTimeout(clock);
    for (const signal of signals) process.off(signal, kill);
    resolve({ code, printed });
  };
  child.on("error", (error) => {
    printed = error.message;
    done(null);
  });
  child.on("exit", (code) => setImmediate(done, code));
  return promise;
}

/** What the test file has told of the fixture last; null: nothing. */
function toldOf(file: string, definitionFile: string): ToldResult | null {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return null;
  }
  const all = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as ToldResult);
  return all.findLast((each) => each.file === definitionFile) ?? null;
}
