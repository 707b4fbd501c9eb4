import { ATTR, decodeValue } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";
import { itemsOf } from "../step/step-items.ts";
import { type StepView, stepsOf } from "../step/step-view.ts";
import { isShort, prepared, sourcesOf, type ValueSource } from "./find-value.ts";
import { type JsonLeaf, leavesOf, parsedJson } from "../json/json-value.ts";
import { type ReadText, textsReadByModel, textsReadByProgram } from "./read-texts.ts";

/** A call and where each value of its arguments came from. `explain --json` prints it; fields are only ever added. */
export interface ExplainedCall {
  /** number of the step that made the call, or of the model call that asked for it where no step did */
  readonly step: number;
  readonly kind: string;
  readonly name: string;
  /** number of the model call that asked for it; null: the program made it by itself */
  readonly askedBy: number | null;
  readonly values: readonly ExplainedValue[];
  /** values beyond the first 200, which are left out */
  readonly more: number;
}

export interface ExplainedValue {
  /** JSON pointer into the arguments */
  readonly pointer: string;
  readonly value: JsonLeaf["value"];
  /**
   * Who put it there. "model": it is in the call that the model asked for. "program": it is not, or no model asked for the call.
   */
  readonly by: "model" | "program";
  /** what that one had read that holds the value, in order; the first is where it came from; none: sampled, chosen or computed */
  readonly sources: readonly ValueSource[];
  /** short values are found by chance */
  readonly short: boolean;
}

const MOST_VALUES = 200;

/** Explains the calls of step `number`: of a tool or request its own; of a model call those that the model asked for. */
export function explainStep(
  run: Pick<Envelope, "steps" | "spans" | "root" | "facts">,
  number: number,
  steps: readonly StepView[] = stepsOf(run),
): ExplainedCall[] {
  return explainSteps(steps, inputOf(run), number);
}

/** As `explainStep`. `input`: what the program had before its first step. */
export function explainSteps(steps: readonly StepView[], input: readonly ReadText[], number: number): ExplainedCall[] {
  const step = steps.find((each) => each.step === number);
  if (step === undefined) return [];
  const context = { steps, input };
  if (step.kind !== "LLM") return [explained(step, askedCalls(steps).get(number) ?? null, context)];
  return modelCallsOf(step).map((call) => {
    const made: StepView = { ...step, kind: "TOOL", name: call.name, input: JSON.stringify(call.arguments) };
    return explained(made, { model: step, arguments: call.arguments }, context);
  });
}

/** A tool call that a model asked for. */
interface ModelCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** The tool calls in the answer of a model call, in their order. */
export function modelCallsOf(step: StepView): ModelCall[] {
  if (step.kind !== "LLM") return [];
  const calls = itemsOf(step).output.filter(({ is }) => is === "call");
  return calls.map(({ name, text }) => ({ name: name ?? "", arguments: parsedJson(text) ?? text }));
}

interface Context {
  readonly steps: readonly StepView[];
  readonly input: readonly ReadText[];
}

/** What `agent()` was called with; of a run of another instrumentation the input of its root. */
function inputOf({ root, facts }: Pick<Envelope, "root" | "facts">): ReadText[] {
  const plain = root?.attributes[ATTR.inputValue];
  const text = facts?.input === undefined ? plain : jsonOf(facts.input);
  return typeof text === "string" ? [{ kind: "input of the run", step: null, name: "", text }] : [];
}

/** A typed value as JSON; what JSON cannot say is left as it is written. */
function jsonOf(typed: string): string {
  try {
    return JSON.stringify(decodeValue(typed)) ?? typed;
  } catch {
    return typed;
  }
}

interface Asked {
  readonly model: StepView;
  readonly arguments: unknown;
}

/**
 * Which model call asked for each tool's step, by its number: the latest one before it that asked for this tool with these
 * arguments, else for this tool, and that no earlier step has answered. The attempts of one call have one answer.
 */
function askedCalls(steps: readonly StepView[]): Map<number, Asked> {
  const found = new Map<number, Asked>();
  const open: (Asked & { readonly name: string })[] = [];
  const ofSlot = new Map<string, Asked>();
  for (const step of steps) {
    open.push(...modelCallsOf(step).map((call) => ({ model: step, ...call })));
    if (step.kind !== "TOOL") continue;
    const named = open.filter(({ name }) => name === step.name);
    const given = new Set(argumentsOf(step).map((each) => JSON.stringify(each)));
    const again = step.attempt > 0 ? ofSlot.get(step.slot) : undefined;
    const call = again ?? named.findLast((each) => given.has(JSON.stringify(each.arguments))) ?? named[0];
    if (call === undefined) continue;
    open.splice(0, open.length, ...open.filter((each) => each !== call));
    found.set(step.step, call);
    ofSlot.set(step.slot, call);
  }
  return found;
}

/** A tool's step has its only argument as input, or a list of them. */
function argumentsOf({ input }: StepView): unknown[] {
  const value = parsedJson(input) ?? input;
  return Array.isArray(value) ? [value, ...(value as unknown[])] : [value];
}

function explained(step: StepView, asked: Asked | null, { steps, input }: Context): ExplainedCall {
  const byModel = asked === null ? [] : leavesOf(asked.arguments, Infinity);
  const model = prepared(asked === null ? [] : textsReadByModel(steps, asked.model.step));
  const program = prepared([...input, ...textsReadByProgram(steps, step.step)]);
  const leaves = leavesOf(explainedArguments(step, asked), Infinity);
  const values = leaves.slice(0, MOST_VALUES).map((leaf): ExplainedValue => {
    const isModels = byModel.some(({ value }) => value === leaf.value);
    const sources = sourcesOf(leaf, isModels ? model : program);
    return {
      pointer: leaf.pointer,
      value: leaf.value,
      by: isModels ? "model" : "program",
      sources,
      short: isShort(leaf.value),
    };
  });
  return {
    step: step.step,
    kind: step.kind,
    name: step.name,
    askedBy: asked?.model.step ?? null,
    values,
    more: leaves.length - values.length,
  };
}

/** Frameworks hand messages and settings of their own to a tool after the argument that the model chose: those are left out. */
function explainedArguments(step: StepView, asked: Asked | null): unknown {
  const chosen = JSON.stringify(asked?.arguments);
  return argumentsOf(step).find((each) => JSON.stringify(each) === chosen) ?? argumentsOf(step)[0];
}
