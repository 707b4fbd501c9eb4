import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ReplayReport } from "@reenact/replay";
import { environment } from "../process/environment.ts";

export interface RevisionReplay {
  /** null: it could not be replayed */
  readonly report: ReplayReport | null;
  /** why not */
  readonly why: string;
}

interface How {
  /** the run's file */
  readonly run: string;
  readonly store: string;
  readonly options: readonly string[];
  readonly command: readonly string[];
  /** shell command that prepares the checked-out revision; null: none */
  readonly setUp: string | null;
  readonly scratch: string;
}

/** Replays a run with the code in `folder`. What the program prints is left out. */
export async function replayRevision(folder: string, how: How): Promise<RevisionReplay> {
  if (how.setUp !== null) {
    const { code, written } = await ended(
      spawn(how.setUp, { cwd: folder, shell: true, stdio: ["ignore", "pipe", "pipe"] }),
    );
    if (code !== 0) return { report: null, why: `its set-up ended with ${code}: ${written}` };
  }
  const file = join(how.scratch, "report.json");
  const own = process.argv[1] ?? "";
  const options = ["--store", how.store, "--json-file", file, "--quiet", ...how.options];
  const args = [own, "replay", how.run, ...options, "--", ...how.command];
  const child = spawn(process.execPath, args, { cwd: folder, env: environment(), stdio: ["ignore", "pipe", "pipe"] });
  const { written } = await ended(child);
  const report = reportIn(file);
  return { report, why: report === null ? written : "" };
}

/** Exit code, and the last line that was written to standard error. */
async function ended(child: ReturnType<typeof spawn>): Promise<{ code: number | null; written: string }> {
  let text = "";
  child.stdout?.resume();
  child.stderr?.on("data", (bytes: Buffer) => (text = `${text}${bytes.toString()}`.slice(-4096)));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, written: text.trim().split("\n").at(-1) ?? "" };
}

function reportIn(file: string): ReplayReport | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as ReplayReport;
  } catch {
    return null;
  }
}
