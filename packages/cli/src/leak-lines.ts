import { ATTR } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";
import { count, oneLine } from "./terminal-text.ts";

interface Leak {
  kind: string;
  target?: string;
  count?: number;
  scope?: number;
  stack?: string;
}

/** What each kind is called, and what of it is not in the record. */
const KINDS: Readonly<Record<string, string>> = {
  worker: "a worker thread: what happens in it; a replay runs it again, under guard",
  child: "a child process: what it does and says",
  socket: "a connection: what goes over it",
  udp: "a datagram socket: what goes over it",
  dns: "a look-up: its answer",
  stdin: "standard input: a replay reads its own",
};
const MOST = 5;

/** Lines on what the run did outside every tool that is not recorded, and on what a replay refuses of it. */
export function leakLines(run: Envelope): string[] {
  const leaks = ((run.facts?.leaks ?? []) as Leak[]).filter(({ kind, scope }) => kind in KINDS && (scope ?? -1) === -1);
  const asked = unrecordedTools(run);
  const tools =
    asked.calls === 0
      ? []
      : [
          `not recorded: ${count(asked.calls, "tool call")} that a model asked for, made without tool()${asked.named}; a replay runs their code again, and stops before one that wrote a file, opened a socket or started a process: ${WRAP}`,
        ];
  const lines = leaks.slice(0, MOST).map(({ kind, target = "", count = 1, stack = "" }) => {
    const first = stack.split("\n")[0]?.trim() ?? "";
    return `not recorded: ${KINDS[kind]} (${oneLine(target, 60)} ×${count}${first === "" ? "" : `, ${oneLine(first, 80)}`})`;
  });
  if (leaks.length > MOST) lines.push(`not recorded: ${leaks.length - MOST} more of the kind`);
  if (leaks.some(({ kind }) => kind === "stdin"))
    lines.push("ask with input() of @reenact/node, whose answers are served, or give each replay the same input");
  if (leaks.some(({ kind }) => kind !== "worker" && kind !== "stdin")) lines.push(`a replay refuses it: ${WRAP}`);
  return [...tools, ...lines];
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
