import type { SentRequest, Step } from "@reenact/capture/recorder";
import { editRequest, type RequestEdit } from "@reenact/providers";
import { givenValue } from "../tape/given-results.ts";
import type { PlannedEdit } from "./live-options.ts";

export interface EditedRequest {
  readonly url: string;
  readonly body: string;
}

/**
 * The request with which a call of a model goes out; undefined: its own, which no edit changes. An object with `problem` says why it
 * cannot be edited.
 */
export function editedRequest(
  step: Step,
  { url, headers, body }: SentRequest,
  edits: readonly PlannedEdit[],
): EditedRequest | undefined | { readonly problem: string } {
  if (edits.length === 0) return undefined;
  const text = typeof body === "string" || body === null ? (body ?? "") : Buffer.from(body).toString();
  try {
    const edited = editRequest(step.op, { url, headers, body: text }, edits.map(requestEdit));
    return edited.body === text && edited.url === url ? undefined : edited;
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
