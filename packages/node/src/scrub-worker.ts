// The thread behind `backgroundScrubber`: one scrubber, asked by messages.
import { parentPort, workerData } from "node:worker_threads";
import type { Edit, RedactedPlace, ScrubHint } from "@reenact/capture";
import { createScrubber, type ScrubberOptions } from "@reenact/redaction";

export type ScrubRequest =
  | { readonly id: number; readonly text: string; readonly hint: ScrubHint }
  | { readonly known: { readonly value: string; readonly type?: string } };

export interface ScrubAnswer {
  readonly id: number;
  /** null: nothing had to be changed */
  readonly text: string | null;
  readonly edits: readonly Edit[];
  readonly counts: Readonly<Record<string, number>>;
  readonly places: readonly RedactedPlace[];
}

const scrubber = createScrubber(workerData as ScrubberOptions);

parentPort?.on("message", (message: ScrubRequest) => {
  if ("known" in message) return scrubber.addKnown(message.known.value, message.known.type);
  const { text, edits, counts, places = [] } = scrubber.scrub(message.text, message.hint);
  const answer: ScrubAnswer = { id: message.id, text: edits.length === 0 ? null : text, edits, counts, places };
  parentPort?.postMessage(answer, []);
});
