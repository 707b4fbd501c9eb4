import type { readEnvelope } from "@reenact/envelope/file";
import { ATTR, UNREAD_TEXTS } from "@reenact/envelope";
import type { LoggedRequest } from "../../examples/scripted-provider/request-log.ts";

type Envelope = ReturnType<typeof readEnvelope>;
type Step = Envelope["steps"][number];

/** Something that the agent acted on, noted before it went on. */
export interface Acted {
  readonly id: string;
  /** what it saw: the serial of an answer, or the beginning of a tool's result */
  readonly saw: string;
  readonly at: number;
}

export interface ToolLine {
  readonly id: string;
  readonly event: "start" | "end";
  readonly at: number;
}

export interface Witness {
  /** when the process was killed */
  readonly at: number;
  readonly acted: readonly Acted[];
  readonly tools: readonly ToolLine[];
  readonly requests: readonly LoggedRequest[];
}

/** A step with more than 64 KB of new text is whole when the redaction thread has read it; here that takes no longer. */
const LATE_MS = 500;
const LARGE = /^(asklong|big|bigstream|large)-/;
/** steps whose input is longer than the agent's thread reads */
const LONG_REQUEST = /^(asklong|history)-/;
/** calls that the agent has under way at a time */
const MOST_AT_ONCE = 4;
const NOTHING = JSON.stringify([null, null, null]);
const ID = /\b[a-z]+-k\d+-\d+-/;

export interface Mercy {
  /** how long after it was acted on a step with more than 64 KB of new text may be without its payload */
  readonly lateMs?: number;
  /** such a step may say that its texts were left out, since no thread could read them */
  readonly mayBeUnread?: boolean;
}

/** Holds what a killed process left in its store against what the provider and the tools saw. One line per breach. */
export function judge(witness: Witness, runs: readonly Envelope[], mercy: Mercy = {}): string[] {
  const { lateMs = LATE_MS, mayBeUnread = false } = mercy;
  const wrong: string[] = [];
  if (runs.length > 1) wrong.push(`${runs.length} runs of one process`);
  const steps = Map.groupBy(
    runs.flatMap((run) => run.steps),
    idOf,
  );
  const noId = steps.get("") ?? [];
  // of a step killed in its first turn the record says that it began, and not yet what it asked
  const nameless = noId.filter((step) => outcome(step) === NOTHING);
  let unread = mayBeUnread ? noId.filter((step) => outcome(step) !== NOTHING && isUnread(step)).length : 0;
  if (nameless.length + unread !== noId.length) wrong.push("a step has an outcome and no input");
  const once = (id: string, who: string, mayBeNameless: boolean): Step | null => {
    const found = steps.get(id) ?? [];
    const [step] = found;
    if (found.length === 1 && step !== undefined) return step;
    const kind = /^(slow|instant|large)-/.test(id) ? "TOOL" : "LLM";
    const at = nameless.findIndex((s) => s.span.attributes[ATTR.kind] === kind);
    if (found.length === 0 && mayBeNameless && at !== -1) nameless.splice(at, 1);
    else if (found.length === 0 && LONG_REQUEST.test(id) && unread > 0) unread--;
    else wrong.push(`${id} (${who}) is in the record ${found.length} times`);
    return null;
  };

  const acted = new Set(witness.acted.map(({ id }) => id));
  for (const { id, saw, at } of witness.acted) {
    const sure = !LARGE.test(id) || witness.at - at > lateMs;
    const step = once(id, "acted on", !sure);
    if (step === null) continue;
    const state = stateOf(step);
    if (mayBeUnread && LARGE.test(id) && isUnread(step)) continue;
    if (state === "whole" ? !outcome(step).includes(saw) : sure || state !== "ended, payload lost")
      wrong.push(`${id} was acted on ${witness.at - at} ms before the kill and is: ${state}`);
  }
  for (const request of witness.requests) {
    const id = ID.exec(lastUser(request.text ?? ""))?.[0];
    if (id === undefined || acted.has(id)) continue;
    wrong.push(...notConsumed(id, once(id, "reached the provider", true)));
  }
  for (const { id, event } of witness.tools) {
    if (acted.has(id) || event === "end") continue;
    wrong.push(...notConsumed(id, once(id, "its body ran", true)));
  }
  const unseen = nameless.length - MOST_AT_ONCE;
  if (unseen > 0) wrong.push(`${unseen} steps too many`);
  return wrong;
}

/** The agent may have been about to note it; else the process died in it, which is what the record has to say. */
function notConsumed(id: string, step: Step | null): string[] {
  if (step === null) return [];
  const state = stateOf(step);
  const fine = ["whole", "process died", ...(LARGE.test(id) ? ["ended, payload lost"] : [])];
  return fine.includes(state) ? [] : [`${id} was not acted on and is: ${state}`];
}

function stateOf({ span }: Step): string {
  return span.status.code === 2 ? span.status.message : "whole";
}

function isUnread({ record }: Step): boolean {
  return record.lossy?.includes(UNREAD_TEXTS) ?? false;
}

function idOf(step: Step): string {
  const sent = step.span.attributes[ATTR.inputValue];
  const input = typeof sent === "string" ? sent : (step.record.call?.args ?? "");
  return ID.exec(lastUser(input))?.[0] ?? "";
}

/** A conversation's end: earlier messages may name other steps. */
function lastUser(text: string): string {
  return text.slice(Math.max(0, text.lastIndexOf('"role"')));
}

function outcome(step: Step): string {
  const { response } = step.record.exchange ?? {};
  const body = response?.body;
  return JSON.stringify([
    step.span.attributes[ATTR.outputValue] ?? null,
    step.record.call?.result ?? null,
    body !== undefined && "text" in body ? body.text : null,
  ]);
}
