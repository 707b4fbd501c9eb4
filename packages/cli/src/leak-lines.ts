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
  const asked = run.facts?.tools?.unrecorded ?? 0;
  const tools =
    asked === 0
      ? []
      : [
          `not recorded: ${count(asked, "tool call")} that a model asked for, made without tool(); a replay stops there: ${WRAP}`,
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
