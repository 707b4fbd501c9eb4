import type { JournalEvent } from "@reenact/envelope";
import type { Tape, RecordedLeak, RecordedStep } from "../tape/tape.ts";
import { askedTools } from "./asked-tools.ts";
import { isLog } from "./written-logs.ts";

/** An answer after which the recorded program did something that no replay can do again. */
export interface StopPoint {
  /** step whose answer asks for the tools */
  readonly step: RecordedStep;
  readonly tools: string[];
  /** what happened outside every step, for people */
  readonly effects: string[];
}

export type AskedTools = (step: RecordedStep) => string[];

/** Where the body of an unrecorded tool may have run: from the answer that asks for it to the next start of a model's call. */
interface Window {
  readonly step: RecordedStep;
  readonly tools: string[];
  readonly from: number;
  readonly to: number;
}

/** A thread is none of them: a replay runs it again, under guard. */
const EFFECTS = new Set(["socket", "child", "udp", "write"]);

/**
 * Hand-written tool loops: answers that ask for tools of which no TOOL step followed. Between such an answer and the
 * next LLM start, bodies may run again if everything outside was a step; a socket, a child process or a write to a
 * file means that the replay must stop before it delivers that answer. Not counted: a file that was written before the
 * answer or outside all such windows, a log, and an effect of a timer that was set before the answer.
 */
export function stopPoints(tape: Tape, askedTools: AskedTools): StopPoint[] {
  if ((tape.root.tools?.unrecorded ?? 0) === 0) return [];
  const windows = windowsOf(tape, askedTools);
  const effects = (tape.root.leaks ?? []).filter(({ kind, scope }) => scope === -1 && EFFECTS.has(kind));
  const logs = effects.filter((leak) => isOfProgram(leak, windows)).map(({ target }) => target);
  return windows.flatMap(({ step, tools, from, to }) => {
    const found = effects.filter(
      (leak) =>
        isWithin(leak.at, { from, to }) &&
        !(leak.since !== undefined && leak.since <= from) &&
        !(leak.kind === "write" && logs.some((log) => log === leak.target || isFolderOf(leak.target, log))),
    );
    return found.length === 0 ? [] : [{ step, tools, effects: found.map((l) => `${l.kind} ${l.target}`) }];
  });
}

/** What stops a replay at the answers of a run that ask for tools, for people; none: it goes on. */
export function toolStops(tape: Tape): { tools: string[]; effects: string[] }[] {
  return stopPoints(tape, askedTools).map(({ tools, effects }) => ({ tools, effects }));
}

function windowsOf(tape: Tape, askedTools: AskedTools): Window[] {
  const llm = tape.ordered.filter((s) => s.kind === "LLM");
  return llm.flatMap((step) => {
    const tools = askedTools(step);
    if (tools.length === 0 || toolsFollow(tape, step)) return [];
    const from = step.record.order.settle ?? step.record.order.start;
    const to = llm.find((s) => s.record.order.start > from)?.record.order.start ?? Number.MAX_SAFE_INTEGER;
    return [{ step, tools, from, to }];
  });
}

/** Whether the program itself writes the file: it is a log, or it is written at a time when no tool was asked for. */
function isOfProgram(leak: RecordedLeak, windows: readonly Window[]): boolean {
  if (leak.kind !== "write") return false;
  return isLog(leak) || [leak.at, ...(leak.more ?? [])].some((at) => !windows.some((w) => isWithin(at, w)));
}

const isWithin = (at: number, { from, to }: Pick<Window, "from" | "to">): boolean => at > from && at <= to;

/** A logger makes the folder of its file. */
const isFolderOf = (folder: string, file: string): boolean =>
  /^[/\\]/.test(file.slice(folder.length)) && file.startsWith(folder);

/** A TOOL step whose path names this answer as the one that asked. */
function toolsFollow(tape: Tape, step: RecordedStep): boolean {
  const place = `#${step.record.op}|${step.record.n}.`;
  return tape.ordered.some((s) => s.kind === "TOOL" && s.record.path.includes(place));
}

/** The event at which an answer is whole for the agent: its body's end, else its head. */
export function deliversAnswer(event: Exclude<JournalEvent, { k: "v" }>, point: StopPoint): boolean {
  return (event.k === "h" || event.k === "c" || event.k === "e") && event.id === point.step.index;
}
