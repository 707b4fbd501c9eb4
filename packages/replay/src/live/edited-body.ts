import type { SentRequest, Step } from "@reenact/capture/recorder";
import { editRequest, type RequestEdit } from "@reenact/providers";
import { givenValue } from "../tape/given-results.ts";
import type { PlannedEdit } from "./live-options.ts";

/**
 * The body with which a call of a model goes out; undefined: its own, which no edit changes. An object says why it cannot be edited.
 */
export function editedBody(
  step: Step,
  { body }: SentRequest,
  edits: readonly PlannedEdit[],
): string | undefined | { readonly problem: string } {
  if (edits.length === 0) return undefined;
  const text = typeof body === "string" || body === null ? (body ?? "") : Buffer.from(body).toString();
  try {
    const edited = editRequest(step.op, text, edits.map(requestEdit));
    return edited === text ? undefined : edited;
  } catch (error) {
    return { problem: `step ${step.index + 1} (${step.op}) cannot be edited: ${(error as Error).message}` };
  }
}

/** The changes that are meant for this call. `recorded`: numbers of the steps that it stands for, which are several where it is sent again. */
export function editsOf(step: Step, edits: readonly PlannedEdit[], recorded: readonly number[]): PlannedEdit[] {
  return step.kind === "LLM" ? edits.filter((edit) => edit.step === null || recorded.includes(edit.step)) : [];
}

function requestEdit({ what, name, value }: PlannedEdit): RequestEdit {
  const given = givenValue(value);
  return what === "params" ? { what, name: name ?? "", value: given } : { what, value: String(given) };
}
