import { continuesKept, type ReadText, textsOfRequest } from "../explain/read-texts.ts";
import { isFields, parsedJson } from "../json/json-value.ts";
import type { StepView } from "../step/step-view.ts";
import { type AlignedText, alignedTexts, textKey } from "./align-texts.ts";

/** What a model read at one call, against the call before it in the same conversation. */
export interface StepContext {
  /** number of the model call */
  readonly step: number;
  /** number of the call before it; null: no earlier call shares a message with it, and all texts are "added" */
  readonly before: number | null;
  /** the provider adds messages that it keeps, which the request does not hold */
  readonly continues: boolean;
  /** UTF-16 code units of all texts of the request */
  readonly length: number;
  /** of the call before; null: there is none */
  readonly lengthBefore: number | null;
  /** system prompts, tool definitions, then messages */
  readonly texts: readonly AlignedText[];
}

/** Earlier calls among which the one before is looked for. */
const MOST_CALLS = 50;

/** The context of step `number`; null: it is no model call, or its request is not recorded. */
export function contextOf(steps: readonly StepView[], number: number): StepContext | null {
  const step = steps.find((each) => each.step === number);
  if (step?.kind !== "LLM" || step.input === null) return null;
  const earlier = steps.filter((each) => each.step < number);
  const texts = textsOfRequest(step, earlier);
  const continues = continuesKept(step);
  const before = callBefore(step, texts, earlier);
  const was = before === null ? [] : textsOfRequest(before, earlier);
  return {
    step: number,
    before: before?.step ?? null,
    continues,
    length: lengthOf(texts),
    lengthBefore: before === null ? null : lengthOf(was),
    texts: compared(was, texts, continues),
  };
}

const lengthOf = (texts: readonly ReadText[]): number => texts.reduce((sum, { text }) => sum + text.length, 0);
const isMessage = ({ kind }: ReadText): boolean => kind !== "system prompt" && kind !== "tool definition";
const isFixed = (read: ReadText): boolean => !isMessage(read);

/**
 * The call that this one goes on with: the one whose answer it names, else the latest one of which it repeats all messages, else
 * the latest of those that share most messages with it.
 * The attempts of one call have the same call before them.
 */
function callBefore(step: StepView, texts: readonly ReadText[], earlier: readonly StepView[]): StepView | null {
  const calls = earlier.filter(({ kind, input, slot }) => kind === "LLM" && input !== null && !isSame(slot, step));
  const body = parsedJson(step.input);
  const named = isFields(body) ? body["previous_response_id"] : undefined;
  if (typeof named === "string") return calls.findLast((call) => answerId(call) === named) ?? null;
  const own = new Set(texts.filter(isMessage).map(textKey));
  let best: StepView | null = null;
  let most = 0;
  for (const call of calls.slice(-MOST_CALLS).toReversed()) {
    const messages = textsOfRequest(call, []).filter(isMessage);
    const shared = messages.filter((message) => own.has(textKey(message))).length;
    // this one repeats all of it, which a call of another conversation with equal results does not
    if (shared > 0 && shared === messages.length) return call;
    if (shared > most) [best, most] = [call, shared];
  }
  return best;
}

const isSame = (slot: string, step: StepView): boolean => slot !== "" && slot === step.slot;

function answerId({ output }: StepView): unknown {
  const body = parsedJson(output);
  return isFields(body) ? body["id"] : undefined;
}

function compared(before: readonly ReadText[], after: readonly ReadText[], continues: boolean): AlignedText[] {
  const messages = alignedTexts(before.filter(isMessage), after.filter(isMessage));
  return [
    ...alignedTexts(before.filter(isFixed), after.filter(isFixed)),
    // what the request leaves to the provider is not removed
    ...messages.filter(({ status }) => !(continues && status === "removed")),
  ];
}
