import { readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { errorCode } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { launchName, sealSpool } from "@reenact/node/seal";
import { loadTape, replayCommand, type ReplayReport, type ToolCall, toolCall } from "@reenact/replay";
import { stepsOf } from "@reenact/view";
import type { Fixture } from "../fixture/fixture.ts";
import { FixtureError } from "../fixture/fixture-error.ts";

/** Characters at the end of the program's output that are kept for a message. */
const KEPT = 64 * 1024;

export interface ProgramReplay {
  readonly report: ReplayReport;
  readonly toolCalls: readonly ToolCall[];
  /** the end of what the program printed */
  readonly printed: string;
  /** deletes the run of this replay from the store */
  forget(): void;
}

/** Starts the command of a fixture in its folder, every step served from the record. */
export async function replayProgram(
  fixture: Fixture,
  options: { command: string[]; runTools: string[]; timeoutMs: number; store?: string },
): Promise<ProgramReplay> {
  const store = resolve(fixture.folder, options.store ?? process.env["REENACT_STORE"] ?? ".reenact");
  const launch = launchName();
  let printed = "";
  const { report, failedToStart } = await replayCommand({
    envelope: fixture.envelope,
    tape: loadTape(fixture.envelope),
    siblings: [],
    hasSiblings: false,
    store,
    mode: "observe",
    runTools: options.runTools,
    serveTools: [],
    allowUnrecordedTools: false,
    command: options.command,
    timeoutMs: options.timeoutMs,
    launch,
    cwd: fixture.folder,
    onOutput: (bytes) => {
      printed = `${printed}${Buffer.from(bytes).toString()}`.slice(-KEPT);
    },
  });
  if (failedToStart !== null)
    throw new FixtureError(
      "CANNOT_START",
      `cannot start ${options.command[0] ?? ""} in ${fixture.folder}: ${failedToStart}`,
      `correct "command" or "folder" in ${fixture.definitionFile}`,
    );
  sealSpool(store, { launch });
  const own = report.run === null ? null : join(store, "runs", `${report.run}.reenact`);
  return {
    report,
    toolCalls: own === null ? [] : toolCallsIn(own),
    printed,
    forget: () => {
      if (own !== null) rmSync(own, { force: true });
    },
  };
}

/** The calls of tools in a recorded run; none where there is no such file. */
export function toolCallsIn(file: string): ToolCall[] {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    // a replay that was killed may have left no run
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
  const tools = stepsOf(readEnvelope(bytes)).filter(({ kind }) => kind === "TOOL");
  return tools.map(({ name, input }) => toolCall(name, input));
}
