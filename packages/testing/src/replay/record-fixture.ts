import { mkdtempSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { loadTape, recordedArguments } from "@reenact/replay";
import type { FixtureFiles } from "../fixture/fixture.ts";
import { FixtureError } from "../fixture/fixture-error.ts";
import { recordFunction } from "./record-function.ts";
import type { FixtureReplay, ReplayFixtureOptions } from "./fixture-replay.ts";
import { toolCallsIn } from "./replay-program.ts";
import { writeFixture } from "./write-fixture.ts";

/** Calls the function with real calls. `record` writes the fixture anew; `live` keeps nothing. */
export async function recordFixture(
  files: FixtureFiles,
  fn: ((...args: never[]) => unknown) | undefined,
  { mode, options }: { mode: "record" | "live"; options: ReplayFixtureOptions },
): Promise<FixtureReplay> {
  if (fn === undefined)
    throw new FixtureError(
      "NO_FUNCTION",
      `REENACT_MODE=${mode} calls a function, and the test of ${files.name} gives none`,
      `reenact run -- <command>, then reenact test add @last --name ${files.name} --force -- <command>`,
    );
  const isKept = mode === "record";
  const store = isKept
    ? resolve(options.store ?? process.env["REENACT_STORE"] ?? ".reenact")
    : mkdtempSync(join(tmpdir(), "reenact-live-"));
  try {
    const args = options.input ?? (files.isThere ? recordedArguments(loadTape(files.envelope)) : []);
    const recorded = await recordFunction(fn, { name: files.name, args, store });
    const { run, id, status, output, error } = recorded;
    if (isKept) {
      if (status !== "ok")
        throw new FixtureError(
          "CANNOT_RECORD",
          `the run of ${files.name} ended ${status}${error instanceof Error ? `: ${error.message}` : ""}; the fixture was not written`,
          `reenact show ${id}`,
          { cause: error },
        );
      writeFixture(files, { run, id, store });
      tell(files);
    }
    const base = { mode, verdict: mode, divergence: null, printed: "", outcome: null, report: null };
    return { ...base, fixture: files, toolCalls: toolCallsIn(run), output, error };
  } finally {
    if (!isKept) rmSync(store, { recursive: true, force: true });
  }
}

/** Past the test runner, which may hold back what a test prints. */
function tell({ envelope, definitionFile }: FixtureFiles): void {
  const kilobytes = (statSync(envelope).size / 1000).toFixed(1);
  const [run, definition] = [envelope, definitionFile].map((file) => relative(process.cwd(), file));
  writeSync(2, `reenact: recorded ${run} (${kilobytes} kB) and ${definition}: review and commit both\n`);
}
