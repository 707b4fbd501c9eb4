import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import type { TestsRun } from "@reenact/collector";
import { environment } from "../process/environment.ts";
import { NOT_KEPT } from "../tests/last-results.ts";
import { canceller, endOf, failureIn } from "./replay-process.ts";

interface TestsPlace {
  /** folder of the project, absolute */
  readonly project: string;
  /** absolute */
  readonly store: string;
}

/** Runs of the project's tests by `reenact test`, which keeps each result in the store as soon as it is known. */
export function openTestRuns({ project, store }: TestsPlace) {
  let last: TestsRun | null = null;
  let running: { readonly cancel: () => void; readonly ended: Promise<void> } | null = null;

  function cancel(): void {
    if (last === null || running === null) return;
    last = { ...last, state: "ending", cancelled: true };
    running.cancel();
  }

  return {
    /** Paths of fixtures, from the folder of the project. Nothing may run yet. */
    start(files: readonly string[]): TestsRun {
      const started = Date.now();
      const run: TestsRun = {
        id: randomBytes(8).toString("hex"),
        state: "running",
        started,
        durationMs: null,
        files: [...files],
        failure: null,
        cancelled: false,
      };
      last = run;
      const words = [
        "test",
        "--quiet",
        "--functions",
        "--store",
        store,
        ...files.map((file) => resolve(project, file)),
      ];
      // the channel closes when this process ends, however it ends, and the tests end then
      const child = spawn(process.execPath, [process.argv[1] ?? "", ...words], {
        cwd: project,
        env: environment(),
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      });
      const ended = endOf(child).then(({ written, code }) => {
        running = null;
        const cancelled = last?.cancelled === true;
        last = {
          ...run,
          state: "ended",
          durationMs: Date.now() - started,
          cancelled,
          failure: cancelled ? "they were cancelled" : failureOf(written, code),
        };
      });
      running = { cancel: canceller(child), ended };
      return run;
    },
    last: (): TestsRun | null => last,
    isRunning: (): boolean => running !== null,
    cancel,
    async close(): Promise<void> {
      const ended = running?.ended;
      cancel();
      await ended;
    },
  };
}

/** Tests that fail are no failure of the run. */
function failureOf(written: string, code: number | null): string | null {
  const unkept = written.split("\n").find((line) => line.startsWith(NOT_KEPT));
  if (unkept !== undefined) return unkept;
  return code === 0 || code === 1 ? null : failureIn(written, "they ended before all of them had a result");
}
