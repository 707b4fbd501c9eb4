import type { Paint } from "./painter.ts";
import type { RunFile } from "./run-files.ts";
import { runRow, stepsLine } from "./run-row.ts";
import { shellWords } from "./shell-words.ts";
import { count, duration, oneLine } from "./terminal-text.ts";

export interface SummaryContext {
  /** how many runs there were in all */
  runs: number;
  command: string[];
  /** false: another process has made it, one that the command has started */
  byCommand: boolean;
  /** of the collector that has it; null: it is in the local store */
  sentTo: string | null;
  /** options with which a further command finds it, a blank ahead */
  place: string;
}

/** What `reenact run` says when nothing was recorded. `problem`: what stood in the way, as far as that shows from here. */
export function printNothing(problem: string | null, place: string): string {
  const why =
    problem ??
    'no model of a provider that is understood (OpenAI, Anthropic, and who speaks as they do) and no tool() was called, unless a line above says what stood in the way. Where another provider is called, put agent("name", fn) of @reenact/node around what is to be a run: its HTTP calls are recorded then';
  return `reenact: no run was recorded: ${oneLine(why, 600)}. Next: reenact doctor${place}\n`;
}

/** What `reenact run` says of runs that it found ended and sealed, and that are not of its command. */
export function printOthers(runs: number, place: string): string {
  if (runs === 0) return "";
  const what = runs === 1 ? "1 run of another process was" : `${runs} runs of other processes were`;
  return `${what} sealed too: reenact ls${place}\n`;
}

/** What `reenact run` says when the agent has ended. */
export function printSummary(
  run: RunFile,
  { runs, command, byCommand, sentTo, place }: SummaryContext,
  paint: Paint,
): string {
  const row = runRow(run);
  const { manifest: m } = run;
  const id = row.run.slice(0, 6);
  const redacted = Object.values(m.redaction.counts).reduce((a, b) => a + b, 0);
  const failedStep = m.error?.step;
  const what =
    row.status === "ok"
      ? `${paint("green", "✓")} run ${id}  ok`
      : `${paint("red", "✗")} run ${id}  ${row.status}${failedStep === undefined ? "" : ` at step ${failedStep + 1}/${m.steps}`}${row.error === null ? "" : `  ${oneLine(row.error, 70)}`}`;
  const facts = [
    stepsLine(row),
    row.durationMs === null ? "not ended" : duration(row.durationMs),
    ...(row.tokens > 0 ? [count(row.tokens, "token")] : []),
    ...(row.cost === null ? [] : [`$${row.cost.toFixed(4)}`]),
    `${count(redacted, "value")} redacted`,
    row.complete ? "complete" : `incomplete: ${oneLine(m.incompleteReasons[0] ?? "unknown", 100)}`,
  ];
  const more = runs > 1 ? `  ${runs - 1} more: reenact ls${place}\n` : "";
  const where = sentTo === null ? "" : `  run ${id} → ${sentTo}\n`;
  const again = byCommand ? shellWords(command) : `<what starts ${oneLine(row.name, 60)}>`;
  return `${what}\n  ${facts.join(" · ")}\n${where}  replay: reenact replay ${id}${place} -- ${again}\n${more}`;
}
