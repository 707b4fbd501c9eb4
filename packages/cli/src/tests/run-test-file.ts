import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { duration } from "@reenact/view";
import { DEFINITION_ENDING, type Fixture, TOLD_VARIABLE, type ToldResult } from "@reenact/testing";
import { environment } from "../process/environment.ts";
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
export async function runTestFile(
  fixture: Fixture,
  { store, timeoutMs }: { readonly store?: string | undefined; readonly timeoutMs: number },
  startingMs = STARTING_MS,
): Promise<Result> {
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
    const mostMs = timeoutMs + startingMs;
    const { code, printed, isLate } = await ended([...words, file], { cwd: folder, env, timeoutMs: mostMs });
    const result = toldOf(told, definitionFile);
    if (code === 0 && result === null) return failed("its test file has not replayed it");
    if (code === 0) return { ...result!, pass: true, cause: null };
    if (result?.pass === false) return result;
    const lines = printed.trimEnd().split("\n").slice(-LINES);
    const why = isLate ? `its test file did not end within ${duration(mostMs)}` : "its test file fails";
    return failed([why, ...lines.map((line) => `  ${line}`)].join("\n"));
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** The runner that a test file imports. */
export const runnerOfFile = (file: string): Runner =>
  /\bfrom\s*["'](?:@reenact\/)?vitest["']/.test(readFileSync(file, "utf8")) ? "vitest" : "node";

/** Arguments of Node before the test file; null: its runner is not installed in the project. */
function runnerWords(file: string, project: string): string[] | null {
  // with --test the path would be a pattern: [id] in it is no folder of that name
  if (runnerOfFile(file) !== "vitest") return [];
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

interface Ended {
  /** null: a signal ended it */
  readonly code: number | null;
  /** the end of what it printed */
  readonly printed: string;
  /** it was ended because its time was over */
  readonly isLate: boolean;
}

/** Ends with all that the runner has started. */
function ended(args: readonly string[], { cwd, env, timeoutMs }: Started): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
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
  let isLate = false;
  const clock = setTimeout(() => {
    isLate = true;
    kill();
  }, timeoutMs);
  const done = (code: number | null): void => {
    clearTimeout(clock);
    for (const signal of signals) process.off(signal, kill);
    resolve({ code, printed, isLate });
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
  if (!existsSync(file)) return null;
  // Node gives modules the path behind all links
  const own = realpathSync(definitionFile);
  const all = readFileSync(file, "utf8")
    .split("\n")
    .flatMap((line) => toldIn(line));
  return all.findLast((each) => each.file === definitionFile || each.file === own) ?? null;
}

/** Nothing in a line that the end of its process has cut off. */
function toldIn(line: string): ToldResult[] {
  try {
    return [JSON.parse(line) as ToldResult];
  } catch {
    return [];
  }
}
