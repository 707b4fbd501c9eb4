import { ATTR } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";
import { isNativeCode, isRefused, leakName, leaksOf, type RecordedLeak } from "../recorded-leak.ts";
import { count, oneLine } from "./terminal-text.ts";

const MOST = 5;

/** Lines on what the run did outside every tool that is not recorded, and on what a replay refuses of it. */
export function leakLines(run: Envelope): string[] {
  const leaks = leaksOf(run).filter((leak) => leak.scope === -1 && wayOf(leak) !== null);
  const asked = unrecordedTools(run);
  const tools =
    asked.calls === 0
      ? []
      : [
          `not recorded: ${count(asked.calls, "tool call")} that a model asked for, made without tool()${asked.named}; a replay runs their code again, and stops before one that wrote a file, opened a socket or started a process: ${WRAP}`,
        ];
  const lines = leaks.slice(0, MOST).map((leak) => `not recorded: ${leakName(leak)}${wayOf(leak) ?? ""}`);
  if (leaks.length > MOST) lines.push(`not recorded: ${leaks.length - MOST} more of the kind`);
  if (leaks.some(({ kind }) => kind === "stdin"))
    lines.push("ask with input() of @reenact/node, whose answers are served, or give each replay the same input");
  if (leaks.some(isRefused)) lines.push(`a replay refuses it: ${WRAP}`);
  return [...tools, ...lines];
}

/** What a replay does with it; null: nothing that needs to be said. */
function wayOf(leak: RecordedLeak): string | null {
  if (isRefused(leak)) return "";
  if (leak.kind === "worker") return ": a replay runs it again, under guard";
  if (leak.kind === "udp") return ": what it sends goes nowhere in a replay";
  if (leak.kind === "stdin") return ": a replay reads its own";
  return isNativeCode(leak) ? ": a replay runs it again and cannot stop what it does" : null;
}

/** What to do about it. */
export const WRAP =
  'wrap what uses it in tool("name", fn) of @reenact/node and record again; a tool\'s result is served';

const ASKED = /^llm\.output_messages\..*tool_call\.function\.name$/;

/** Tool calls that a model asked for and no `tool()` made, and `: ` with their names. */
export function unrecordedTools(run: Envelope): { calls: number; named: string } {
  const calls = run.facts?.tools?.unrecorded ?? 0;
  if (calls === 0) return { calls, named: "" };
  const left = new Map<string, number>();
  const names = new Map<string, string>();
  const add = (name: string, n: number): string => {
    // a framework may know a tool by a spelling of its own
    const key = name.replace(/[\W_]/g, "").toLowerCase();
    left.set(key, (left.get(key) ?? 0) + n);
    return key;
  };
  for (const { span } of run.steps) {
    if (span.attributes[ATTR.kind] === "TOOL") add(span.name, -1);
    for (const [key, name] of Object.entries(span.attributes))
      if (ASKED.test(key) && typeof name === "string") names.set(add(name, 1), name);
  }
  if (names.size === 0) return { calls, named: "" };
  const unmade = [...names].filter(([key]) => (left.get(key) ?? 0) > 0);
  const n = unmade.reduce((sum, [key]) => sum + (left.get(key) ?? 0), 0);
  const shown = unmade.slice(0, MOST).map(([, name]) => oneLine(name, 40));
  const more = unmade.length > MOST ? ` and ${unmade.length - MOST} more` : "";
  return { calls: Math.min(calls, n), named: `: ${shown.join(", ")}${more}` };
}
