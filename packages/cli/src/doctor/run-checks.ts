import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readEnvelope } from "@reenact/envelope/file";
import { launchName, sealSpool } from "@reenact/node/seal";
import { auditOf } from "./audit.ts";
import { messageOf } from "../errors/cli-error.ts";
import { environment } from "../process/environment.ts";
import { launchChild } from "../process/launch-child.ts";
import { recordingProblem } from "./recording-problem.ts";
import { listRuns } from "../store/run-files.ts";
import { type Check, fail, pass } from "./check.ts";

/** What the newest run of the store holds. */
export function lastRun(store: string): Check[] {
  const run = listRuns(store).runs.find((r) => r.manifest.replay === undefined);
  return run === undefined ? [pass("last-run", "none yet. Next: reenact run -- node agent.js")] : audit(run.path);
}

/** A check sends nothing anywhere. */
const NOWHERE = { REENACT_ENDPOINT: "", REENACT_FORWARD: "", REENACT_EXPORT: "" };

/** Records the command once into a store of its own and audits what it did. */
export async function recorded(command: string[]): Promise<Check[]> {
  const store = mkdtempSync(join(tmpdir(), "reenact-doctor-"));
  const launch = launchName();
  try {
    const { exitCode, failure } = await launchChild(
      command,
      { ...NOWHERE, REENACT_STORE: store, REENACT_LAUNCH: launch },
      2,
    );
    if (failure !== null) return [fail("recorded", failure.message, failure.next)];
    const [run] = sealSpool(store, { launch });
    if (run !== undefined) return [pass("recorded", `exit code ${exitCode}`), ...audit(run.path)];
    const problem = recordingProblem(store, { ...environment(), ...NOWHERE });
    if (problem !== null) return [fail("recorded", `nothing can be recorded: ${problem}`, "correct it")];
    return [
      fail(
        "recorded",
        `no run started (exit code ${exitCode})`,
        "unless a line above names a cause, the program called no model and no tool: wrap tools in tool(), or name its entry with agent()",
      ),
    ];
  } finally {
    rmSync(store, { recursive: true, force: true });
  }
}

function audit(path: string): Check[] {
  try {
    const run = readEnvelope(readFileSync(path), { damaged: "read-up-to" });
    return auditOf(run).map(({ id, state, line, fix }) => ({ id, ok: state !== "leaking", line, fix }));
  } catch (error) {
    return [fail("last-run", `${path}: ${messageOf(error)}`, "move the file away")];
  }
}
