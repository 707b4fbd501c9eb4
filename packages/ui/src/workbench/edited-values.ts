import { useState } from "react";
import type { ViewStep } from "../api/call.ts";

/** What a call returns instead of what was recorded. */
export interface EditedValue {
  readonly step: number;
  readonly form: "tool" | "input";
  readonly name: string;
  /** which call of this name, from 1 */
  readonly n: number;
  readonly value: string;
  readonly isJson: boolean;
}

/** As the API takes it. */
export const givenOf = ({ form, name, n, value, isJson }: EditedValue) => ({ form, name, n, value, isJson });

const FORMS: Readonly<Record<string, EditedValue["form"]>> = { TOOL: "tool", STEP: "tool", INPUT: "input" };

/** How a replay names a step whose value can be set; null: it cannot. */
export function settable(
  steps: readonly ViewStep[],
  { kind, name, slot, step }: ViewStep,
): Omit<EditedValue, "value" | "isJson"> | null {
  const form = FORMS[kind];
  if (form === undefined || slot === null || name.includes("=")) return null;
  // what the program tells a library has no result
  if (slot.includes("decision:")) return null;
  const calls = steps.filter((each) => FORMS[each.kind] === form && each.name === name && each.slot !== null);
  return { step, form, name, n: calls.findIndex((each) => each.step === step) + 1 };
}

/** The edited values of a page; they are gone when it is left, since a value may be long or secret. */
export function useEditedValues() {
  const [edited, setEdited] = useState<readonly EditedValue[]>([]);
  const without = (step: number) => edited.filter((each) => each.step !== step);
  return {
    edited,
    edit: (value: EditedValue) => setEdited([...without(value.step), value].toSorted((a, b) => a.step - b.step)),
    undo: (step: number) => setEdited(without(step)),
    undoTool: (name: string) => setEdited(edited.filter((each) => each.form !== "tool" || each.name !== name)),
  };
}
