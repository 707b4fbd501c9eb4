import { isFields, parsedJson } from "../json/json-value.ts";
import type { StepView } from "./step-view.ts";

/** What a person decided, as the program told a library (SPEC.md §3). */
export type Decision =
  | {
      readonly kind: "call";
      /** name of the tool */
      readonly tool: string;
      readonly arguments: unknown;
      readonly approved: boolean;
      readonly reason: string | null;
    }
  | { readonly kind: "interrupt"; readonly asked: unknown; readonly answer: unknown };

const OP = "decision:";

/** null: the step holds no decision. */
export function decisionOf({ kind, record, input }: StepView): Decision | null {
  if (kind !== "INPUT" || record?.op.startsWith(OP) !== true) return null;
  const decided = input === null ? null : parsedJson(input);
  if (!isFields(decided)) return null;
  const { approved, reason, asked, answer } = decided;
  if (typeof approved !== "boolean") return { kind: "interrupt", asked, answer };
  return {
    kind: "call",
    tool: record.op.slice(OP.length),
    arguments: decided["arguments"],
    approved,
    reason: typeof reason === "string" ? reason : null,
  };
}

export function decisionText(decision: Decision): string {
  if (decision.kind === "interrupt" && decision.asked === undefined) return `went on with ${json(decision.answer)}`;
  if (decision.kind === "interrupt") return `answered ${json(decision.answer)} to ${json(decision.asked)}`;
  const { tool, approved, reason } = decision;
  const why = reason === null ? "" : `: ${reason}`;
  return `${approved ? "approved" : "rejected"} ${tool}(${json(decision.arguments)})${why}`;
}

const json = (value: unknown): string => JSON.stringify(value) ?? "nothing";
