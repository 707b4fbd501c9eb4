// The thread behind `backgroundScrubber`: one scrubber, asked by messages.
import { parentPort, workerData } from "node:worker_threads";
import { type Originals, originalsOfRead, readTexts, type StepTexts, type TextsRead } from "@reenact/capture/recorder";
import type { ScrubHint } from "@reenact/capture";
import { type Beginning, createScrubber, type ScrubberOptions } from "@reenact/redaction";
import { packEntry } from "../vault/vault-file.ts";
import { type OriginalsWanted, type ScrubAnswer, type ScrubRequest, sentText, type StepAnswer } from "./scrub-work.ts";

const scrubber = createScrubber(workerData as ScrubberOptions);
const encoder = new TextEncoder();
/** made with the first step of which something is to be kept */
let secrets: ReturnType<typeof createScrubber> | null = null;

parentPort?.on("message", (message: ScrubRequest) => {
  if ("known" in message) {
    const { value, type } = message.known;
    secrets?.addKnown(value, type);
    return scrubber.addKnown(value, type);
  }
  if ("text" in message) {
    const answer: ScrubAnswer = { id: message.id, text: scrubber.scrub(message.text).text };
    return parentPort?.postMessage(answer, []);
  }
  const { id, texts, originals, begun } = message;
  const request = sentText(texts);
  if (request !== null && begun !== null) takeBeginning(...request, begun);
  const texted = readTexts(texts, scrubber);
  const read = encoded(texted, originals === null ? null : packed(texts, kept(texts, texted, originals)));
  const answer: StepAnswer = { id, read, held: request === null ? null : (scrubber.held?.(...request) ?? null) };
  parentPort?.postMessage(answer, ownMemory(answer.read));
});

/** Another thread may have read more of it than this one. */
function takeBeginning(text: string, hint: ScrubHint, { length, ...held }: Beginning): void {
  const first = held.cuts[0];
  if (first === undefined || text.length - scrubber.unread(text, hint) >= first.at - first.from) return;
  scrubber.hold?.(text.slice(0, length), hint, held);
}

/** Null: nothing was replaced that may be kept. */
function kept(texts: StepTexts, read: TextsRead, wanted: OriginalsWanted): Originals | null {
  const keeps = new Set(wanted.keeps);
  const types = [...Object.keys(read.counts), ...Object.keys(read.requestCounts)];
  if (!types.some((type) => keeps.has(type))) return null;
  secrets ??= createScrubber(wanted.secrets);
  return originalsOfRead(read, readTexts(texts, secrets), (type) => keeps.has(type));
}

/** What is kept of a step, as the vault will seal it. */
function packed({ at }: StepTexts, found: Originals | null): Originals | null {
  if (at === null || found === null || Object.keys(found.kept).length === 0) return found;
  // a copy: memory that holds nothing else is given away
  return { ...found, kept: {}, packed: new Uint8Array(packEntry({ kind: "step", ...at, ...found.kept })) };
}

/** All texts as they will be written: the thread that is answered only hands them on. */
function encoded({ record, ...read }: TextsRead, originals: Originals | null): StepAnswer["read"] {
  const { request, answer } = read;
  return {
    ...read,
    originals,
    members: encoder.encode(JSON.stringify(record)),
    request: request === null ? null : { ...request, text: utf8(request.text) },
    answer: answer === null ? null : { ...answer, text: utf8(answer.text), inside: utf8(answer.inside) },
    input: utf8(read.input),
    output: utf8(read.output),
  };
}

function utf8(text: string | null): Uint8Array | null {
  return text === null ? null : encoder.encode(text);
}

/** Memory that holds nothing else is given away, not copied. */
function ownMemory({ members, request, answer, input, output, originals }: StepAnswer["read"]): ArrayBuffer[] {
  const parts = [
    originals?.packed,
    members,
    request?.text,
    request?.bytes,
    answer?.text,
    answer?.bytes,
    answer?.inside,
    input,
    output,
  ];
  const buffers = parts.flatMap((part) =>
    part instanceof Uint8Array && part.byteLength > 0 && part.byteLength === part.buffer.byteLength
      ? [part.buffer as ArrayBuffer]
      : [],
  );
  return [...new Set(buffers)];
}
