import type { Tape } from "@reenact/replay";
import { oneLine } from "@reenact/view";
import { CliError } from "../errors/cli-error.ts";

/** Throws for a name that no step of the run has: an option without effect would look like a test that passed. */
export function refuseUnknownTools(tape: Tape, named: { runTool: readonly string[]; serve: readonly string[] }): void {
  const tools = tape.ordered.filter(({ kind }) => kind === "TOOL" || kind === "STEP").map(({ name }) => name);
  const composite = tape.ordered.filter(({ index }) => tape.composite.has(index)).map(({ name }) => name);
  refuse("--run-tool", named.runTool, new Set(tools));
  refuse("--serve", named.serve, new Set([...tools, ...composite]));
}

function refuse(option: string, names: readonly string[], known: ReadonlySet<string>): void {
  const stranger = names.find((name) => !known.has(name));
  if (stranger === undefined) return;
  const list = [...known].map((name) => oneLine(name, 60));
  throw new CliError(
    "REEN-USAGE",
    `${option} ${stranger}: the run has no such tool or step`,
    `${list.length === 0 ? "the run recorded none" : `it recorded ${list.slice(0, 12).join(", ")}`}; to record ${oneLine(stranger, 60)}, wrap it in tool("${oneLine(stranger, 60)}", fn) or step() of @reenact/node and run reenact run again`,
  );
}
