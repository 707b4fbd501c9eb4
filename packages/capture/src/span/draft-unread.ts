import { type RecordedError, UNREAD_TEXTS } from "@reenact/envelope";
import { callPart } from "./call-part.ts";
import { ended, exchangePart, knownRequest, lossyLines, readRequest, type Sent } from "./draft-step.ts";
import type { DraftText, Part, StepDraft } from "./draft.ts";
import { scrubError } from "../redact/scrub-error.ts";
import { MOST_READ_HERE } from "../redact/most-read-here.ts";
import { Tally } from "../redact/scrub-exchange.ts";
import { answerSize, requestSize } from "../redact/text-size.ts";
import type { Scrubber } from "../redact/scrubber.ts";
import type { Step } from "./step.ts";
import type { CallDraft, ExchangeDraft } from "./step-content.ts";
import type { TypedText } from "./value-snapshot.ts";

/** As `draftStep`, where no thread can read the long texts: those are replaced whole. */
export function draftUnread(step: Step, scrubber: Scrubber): StepDraft<DraftText> {
  const tally = new Tally();
  const { exchange: x, call } = step;
  const part =
    x === null
      ? callPart(call === null ? null : shortCall(call, tally), scrubber, tally)
      : unreadExchange(x, scrubber, tally);
  const error =
    step.error === null ? null : scrubError(shortError(step.error, tally), scrubber, tally, call?.renamed?.error);
  return ended(step, scrubber, part, error, tally, [...lossyLines(step, scrubber, tally), UNREAD_TEXTS]);
}

function unreadExchange(x: ExchangeDraft, scrubber: Scrubber, tally: Tally): Part<DraftText> {
  const size = x.chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  const isLong = answerSize(x) > MOST_READ_HERE;
  const sent = knownRequest(x, scrubber) ?? unreadRequest(x, scrubber);
  tally.add(sent.tally.counts, sent.tally.places);
  const part = exchangePart(isLong ? { ...x, chunks: [], cuts: [] } : x, sent, scrubber, tally);
  const { answer } = part;
  if (!isLong || answer === null) return { ...part, request: sent.request };
  const text = mark(size, tally);
  return { ...part, request: sent.request, answer: { ...answer, text, bytes: null, cuts: null, length: size } };
}

function unreadRequest(x: ExchangeDraft, scrubber: Scrubber): Sent {
  const size = x.requestBody?.length ?? 0;
  const short = requestSize(x) <= MOST_READ_HERE;
  const url = x.url.length <= MOST_READ_HERE ? x.url : "";
  const sent = readRequest({ ...x, url, ...(short ? {} : { requestBody: null }) }, scrubber, new Tally());
  return short ? sent : { ...sent, request: { ...sent.request, text: mark(size, sent.tally) } };
}

function shortCall(call: CallDraft, tally: Tally): CallDraft {
  const typed = (text: TypedText): string =>
    typeof text === "string" && text.length <= MOST_READ_HERE ? text : JSON.stringify([mark(text.length, tally)]);
  const plain = (text: string | null): string | null =>
    text === null || text.length <= MOST_READ_HERE ? text : JSON.stringify(mark(text.length, tally));
  return {
    ...call,
    args: typed(call.args),
    result: call.result === null ? null : typed(call.result),
    error: call.error === null ? null : typed(call.error),
    yields: call.yields?.map(typed) ?? null,
    input: plain(call.input),
    output: plain(call.output),
  };
}

function shortError(error: RecordedError, tally: Tally): RecordedError {
  const { length } = JSON.stringify(error);
  return length <= MOST_READ_HERE ? error : { class: "Error", name: "Error", message: mark(length, tally) };
}

function mark(length: number, tally: Tally): string {
  tally.add({ UNSCANNED: 1 });
  return `UNSCANNED_${length}`;
}
