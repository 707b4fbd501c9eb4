import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DemoRun } from "@reenact/collector";
import { environment } from "../process/environment.ts";
import { canceller, endOf, failureIn, removeFolder } from "./replay-process.ts";

interface DemoPlace {
  /** folder of the project, absolute */
  readonly project: string;
  /** absolute */
  readonly store: string;
  /** of the collector; undefined: it asks for none */
  readonly key: string | undefined;
}

export interface DemoProcess {
  readonly ended: Promise<DemoRun>;
  cancel(): void;
}

/** Starts `reenact demo` in a process of its own. */
export function startDemo({ project, store, key }: DemoPlace): DemoProcess {
  const folder = mkdtempSync(join(tmpdir(), "reenact-demo-"));
  const file = join(folder, "summary.json");
  // the channel closes when this process ends, however it ends, and the demo ends then
  const words = ["demo", "--quiet", "--store", store, "--json-file", file];
  const child = spawn(process.execPath, [process.argv[1] ?? "", ...words], {
    cwd: project,
    env: { ...environment(), ...(key !== undefined && { REENACT_API_KEY: key }) },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const ended = endOf(child).then(({ written }): DemoRun => {
    const run = runIn(file);
    removeFolder(folder);
    return { run, failure: run === null ? failureIn(written, "the demo has recorded no run") : null };
  });
  return { ended, cancel: canceller(child) };
}

function runIn(file: string): string | null {
  try {
    return (JSON.parse(readFileSync(file, "utf8")) as { run: string | null }).run;
  } catch {
    return null;
  }
}
