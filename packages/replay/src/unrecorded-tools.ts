import type { JournalEvent } from "@reenact/envelope";
import type { Tape, TapedStep } from "./tape.ts";

/** An answer after which the recorded program did something that no replay can do again. */
export interface StopPoint {
  /** step whose answer asks for the tools */
  readonly step: TapedStep;
  readonly tools: string[];
  /** what happened outside every step, for people */
  readonly effects: string[];
}

export type AskedTools = (step: TapedStep) => string[];

/**
 * Hand-written tool loops: answers that ask for tools of which no TOOL step followed. Between such an answer and the
 * next LLM start, bodies may run again if everything outside was a step; a socket, a child process or a write to a
 * file means that the replay must stop before it delivers that answer.
 */
export function stopPoints(tape: Tape, askedTools: AskedTools): StopPoint[] {
  if ((tape.root.tools?.unrecorded ?? 0) === 0) return [];
  const places = new Map<number, { settled: number; next: number }>();
  const llm = tape.ordered.filter((s) => s.kind === "LLM");
  for (const step of llm) {
    const settled = step.record.order.settle ?? step.record.order.start;
    const next = llm.find((s) => s.record.order.start > settled)?.record.order.start ?? Number.MAX_SAFE_INTEGER;
    places.set(step.index, { settled, next });
  }
  const points: StopPoint[] = [];
  for (const step of llm) {
    const tools = askedTools(step);
    if (tools.length === 0 || toolsFollow(tape, step)) continue;
    const { settled, next } = places.get(step.index) as { settled: number; next: number };
    const effects = (tape.root.leaks ?? [])
      .filter(
        (l) =>
          l.scope === -1 &&
          l.at > settled &&
          l.at <= next &&
          ["socket", "child", "worker", "udp", "write"].includes(l.kind),
      )
      .map((l) => `${l.kind} ${l.target}`);
    if (effects.length > 0) points.push({ step, tools, effects });
  }
  return points;
}

/** A TOOL step whose path names this answer as the one that asked. */
function toolsFollow(tape: Tape, step: TapedStep): boolean {
  const place = `#${step.record.op}|${step.record.n}.`;
  return tape.ordered.some((s) => s.kind === "TOOL" && s.record.path.includes(place));
}

/** The event at which an answer is whole for the agent: its body's end, else its head. */
export function deliversAnswer(event: Exclude<JournalEvent, { k: "v" }>, point: StopPoint): boolean {
  return (event.k === "h" || event.k === "c" || event.k === "e") && event.id === point.step.index;
}
