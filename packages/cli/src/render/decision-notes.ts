import { decisionDigest } from "@reenact/envelope/file";
import { decisionOf, type StepView } from "@reenact/view";

/** What `show` says beside a step of what a person decided. */
export interface DecisionNote {
  readonly fact: string;
  /** the call is not the one that was approved */
  readonly isOther: boolean;
}

/** Digits of a digest that are shown. */
const SHOWN = 12;

/** By number of the step: a decision has the digest of the call that it is about, and a call is that of a decision. */
export function decisionNotes(steps: readonly StepView[]): Map<number, DecisionNote> {
  const notes = new Map<number, DecisionNote>();
  const open: { step: number; tool: string; digest: string }[] = [];
  for (const step of steps) {
    const decision = decisionOf(step);
    if (decision?.kind === "call") {
      const { tool, arguments: args, approved } = decision;
      const digest = decisionDigest(tool, args);
      notes.set(step.step, { fact: `of call ${digest.slice(0, SHOWN)}`, isOther: false });
      if (approved) open.push({ step: step.step, tool, digest });
    } else if (open.length > 0 && step.record?.op.startsWith("tool:") === true) {
      const tool = step.record.op.slice("tool:".length);
      const digest = decisionDigest(tool, jsonOf(step.input));
      const of = open.find((each) => each.digest === digest) ?? open.find((each) => each.tool === tool);
      if (of === undefined) continue;
      open.splice(open.indexOf(of), 1);
      const isOther = of.digest !== digest;
      const fact = isOther
        ? `call ${digest.slice(0, SHOWN)}, other arguments than approved in step ${of.step}`
        : `call ${digest.slice(0, SHOWN)}, approved in step ${of.step}`;
      notes.set(step.step, { fact, isOther });
    }
  }
  return notes;
}

function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null") as unknown;
  } catch {
    return text;
  }
}
