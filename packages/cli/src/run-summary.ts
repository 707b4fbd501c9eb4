import type { Paint } from "./painter.ts";
import type { RunFile } from "./run-files.ts";
import { runRow } from "./run-row.ts";
import { count, duration, oneLine } from "./terminal-text.ts";

/** What `reenact run` says when the agent has ended. */
export function printSummary(
  run: RunFile | null,
  runs: number,
  command: string[],
  paint: Paint,
  /** of the collector that has it; null: it is in the local store */
  sentTo: string | null = null,
): string {
  if (run === null)
    return "reenact: no run was recorded: the program called no model and no tool. Next: reenact doctor\n";
  const row = runRow(run);
  const { manifest: m } = run;
  const id = row.run.slice(0, 6);
  const redacted = Object.values(m.redaction.counts).reduce((a, b) => a + b, 0);
  const failedStep = m.error?.step;
  const what =
    row.status === "ok"
      ? `${paint("green", "✓")} run ${id}  ok`
      : `${paint("red", "✗")} run ${id}  ${row.status}${failedStep === undefined ? "" : ` at step ${failedStep + 1}/${row.steps}`}${row.error === null ? "" : `  ${oneLine(row.error, 70)}`}`;
  const facts = [
    `${count(row.steps, "step")} (${row.llm} llm, ${row.tools} tools)`,
    row.durationMs === null ? "not ended" : duration(row.durationMs),
    ...(row.tokens > 0 ? [count(row.tokens, "token")] : []),
    ...(row.cost === null ? [] : [`$${row.cost.toFixed(4)}`]),
    `${count(redacted, "value")} redacted`,
    row.complete ? "complete" : `incomplete: ${oneLine(m.incompleteReasons[0] ?? "unknown", 100)}`,
  ];
  const server = sentTo === null ? "" : ` --server ${sentTo}`;
  const more = runs > 1 ? `  ${runs - 1} more: reenact ls${server}\n` : "";
  const where = sentTo === null ? "" : `  run ${id} → ${sentTo}\n`;
  return `${what}\n  ${facts.join(" · ")}\n${where}  replay: reenact replay ${id}${server} -- ${command.join(" ")}\n${more}`;
}
