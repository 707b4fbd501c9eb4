import type { ScrubHint } from "@reenact/capture";
import { mimeOf, type ReadTexts, type StepTexts } from "@reenact/capture/recorder";
import type { Beginning, Held, ScrubberOptions } from "@reenact/redaction";

export type ScrubRequest =
  | { readonly id: number; readonly text: string }
  | StepRequest
  | { readonly known: { readonly value: string; readonly type?: string } };

export interface StepRequest {
  readonly id: number;
  readonly texts: StepTexts;
  readonly originals: OriginalsWanted | null;
  /** what was found in the beginning of the request, by any thread; null: nothing that is worth handing over */
  readonly begun: Beginning | null;
}

/** What of a step may be kept in a vault. */
export interface OriginalsWanted {
  /** of a scrubber that replaces secrets alone */
  readonly secrets: ScrubberOptions;
  /** types of values that may be kept */
  readonly keeps: readonly string[];
}

export type ScrubAnswer = { readonly id: number; readonly text: string } | StepAnswer;

export interface StepAnswer {
  readonly id: number;
  readonly read: ReadTexts;
  /** what the thread holds of the request: the next one that begins with it need not go to the thread */
  readonly held: Held | null;
}

/** The text of a request, and how it is read; null: it has none, or it was read before. */
export function sentText({ exchange, head }: StepTexts): [text: string, hint: ScrubHint] | null {
  if (head !== null || typeof exchange?.requestBody !== "string") return null;
  return [exchange.requestBody.toWellFormed(), { mime: mimeOf(exchange.requestHeaders) }];
}
