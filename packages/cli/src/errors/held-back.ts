import type { HeldRuns } from "@reenact/node/seal";
import { count } from "@reenact/view";
import { CliError } from "./cli-error.ts";

/** Whose process lives: it sends them by itself, and nothing has to be done. */
export function livingLine(held: readonly HeldRuns[], store: string): string {
  const living = held.filter(({ why }) => why === "lives");
  if (living.length === 0) return "";
  const pids = [...new Set(living.map(({ pid }) => pid))].slice(0, 4).join(", ");
  return `${count(runsOf(living), "run")} in ${store} held back: still running (pid ${pids})\n`;
}

/** Runs that wait and that this command could not touch; one error for each reason. `again`: the command to type later. */
export function heldBack(held: readonly HeldRuns[], store: string, again: string): CliError[] {
  return (["fresh", "taken", "launched"] as const).flatMap((why) => {
    const those = held.filter((each) => each.why === why);
    if (those.length === 0) return [];
    const runs = runsOf(those);
    const what = `${runs === 1 ? "1 run is" : `${runs} runs are`} held back in ${store}: ${REASONS[why](those[0]?.pid ?? 0)}`;
    const seconds = Math.max(1, ...those.map(({ againMs }) => Math.ceil((againMs ?? 0) / 1000)));
    const ended = why === "launched" ? "when that has ended, or " : "";
    return [new CliError("REEN-HELD-BACK", what, `${again}, ${ended}in ${seconds} s`)];
  });
}

const REASONS = {
  fresh: (pid: number) =>
    `written to a moment ago, and this machine cannot tell whether that process (pid ${pid}) runs`,
  taken: (pid: number) => `another process (pid ${pid}) is at it`,
  launched: (pid: number) => `the command that recorded it (pid ${pid}) is still there, and sends it at its end`,
};

const runsOf = (held: readonly HeldRuns[]): number => held.reduce((sum, { runs }) => sum + runs, 0);
