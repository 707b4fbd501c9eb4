import type { AnswerDraft, DraftText, ReadDraft, RequestDraft, StepDraft } from "@reenact/capture/recorder";
import { keptMemory } from "./kept-memory.ts";

const memory = keptMemory(1024 * 1024);

/**
 * Payload of a `request` or `step` frame: JSON of the draft, in which each text and each run of bytes is its length in
 * bytes, line feed, then those one after another. So no payload is escaped, and none is copied into a larger string. The
 * parts are good until the next call.
 */
export function draftParts(draft: StepDraft<DraftText> | ReadDraft, requestIsThere: boolean): (string | Uint8Array)[] {
  const { members = null, ...own } = draft as StepDraft<DraftText> & Partial<ReadDraft>;
  const { request, answer } = own;
  const blobs: Uint8Array[] = [];
  const texts = [request?.text, answer?.text, answer?.inside, own.input, own.output];
  // a UTF-16 unit has at most three bytes
  const kept = memory(texts.reduce((sum, text) => sum + (typeof text === "string" ? 3 * text.length : 0), 0));
  let used = 0;
  // to count the bytes of a text takes longer than to write them
  const encoded = (text: string): Uint8Array =>
    kept === null ? Buffer.from(text) : kept.subarray(used, (used += kept.write(text, used)));
  const put = (value: string | Uint8Array | null): number | null => {
    if (value === null) return null;
    const bytes = typeof value === "string" ? encoded(value) : value;
    blobs.push(bytes);
    return bytes.length;
  };
  const head: Head = {
    ...own,
    request:
      request === null
        ? null
        : requestIsThere
          ? { ...request, text: null, bytes: null, there: true }
          : { ...request, text: put(request.text), bytes: put(request.bytes) },
    answer:
      answer === null
        ? null
        : { ...answer, text: put(answer.text), bytes: put(answer.bytes), inside: put(answer.inside) },
    input: put(own.input),
    output: put(own.output),
  };
  if (members === null) return [`${JSON.stringify(head)}\n`, ...blobs];
  const { record, ...facts } = head;
  // the record is the last member, and what another thread has written is the end of it
  const start = `${JSON.stringify(facts).slice(0, -1)},"record":${JSON.stringify(record).slice(0, -1)},`;
  return [start, members.subarray(1), "}\n", ...blobs];
}

/** `before`: the draft that the step's `request` frame held. Throws for a payload that makes no sense. */
export function readDraft(payload: Buffer, before: (spanId: string) => StepDraft | undefined): StepDraft {
  const line = payload.indexOf(10);
  const head = JSON.parse(payload.toString("utf8", 0, line)) as Head;
  let at = line + 1;
  const take = (length: number | null): Buffer | null => {
    if (length === null) return null;
    if (at + length > payload.length) throw new RangeError("a text is longer than its frame");
    return payload.subarray(at, (at += length));
  };
  const text = (length: number | null): string | null => take(length)?.toString() ?? null;
  const { request, answer } = head;
  return {
    ...head,
    request: request === null ? null : requestOf(request),
    answer:
      answer === null
        ? null
        : { ...answer, text: text(answer.text), bytes: take(answer.bytes), inside: text(answer.inside) },
    input: text(head.input),
    output: text(head.output),
  };

  function requestOf({ there, ...rest }: Lengths<RequestDraft> & { there?: boolean }): RequestDraft {
    if (there !== true) return { ...rest, text: text(rest.text), bytes: take(rest.bytes) };
    const known = before(head.spanId)?.request;
    if (known === undefined || known === null) throw new Error("the frame with its request is not there");
    return { ...rest, text: known.text, bytes: known.bytes };
  }
}

type Lengths<T> = {
  readonly [K in keyof T]: K extends "text" | "bytes" | "inside" ? number | null : T[K];
};

interface Head extends Omit<StepDraft, "request" | "answer" | "input" | "output"> {
  readonly request: (Lengths<RequestDraft> & { there?: boolean }) | null;
  readonly answer: Lengths<AnswerDraft> | null;
  readonly input: number | null;
  readonly output: number | null;
}
