import { textOf } from "@reenact/envelope";
import { decodeContent, deliveredEncoding } from "../transport/content-coding.ts";
import { eventStreamText, isFramed } from "../transport/event-frames.ts";
import { mimeOf } from "../transport/mime.ts";
import { received, type Received } from "./received.ts";
import type { OpenStep } from "./open-step.ts";
import type { ExchangeDraft } from "./step-content.ts";

/**
 * The agent gets no more of an LLM's answer: what it asks for is noted in the frame of the call, before the agent can
 * act on it.
 * The same code in record and replay, so that a tool finds its asking step on both sides.
 */
export function collectToolCalls(step: OpenStep): void {
  const x = step.exchange;
  if (step.kind !== "LLM" || step.operation === null || x === null || x.response === null || x.response.status >= 400)
    return;
  const encoding = deliveredEncoding(x.via, x.response.headers);
  const mime = mimeOf(x.response.headers);
  const { bytes, text: plain } = encoding === null ? received(x) : decoded(x, encoding);
  const text = isFramed(mime) ? eventStreamText(bytes) : plain;
  if (text === null) return;
  const calls = step.operation.toolCalls({
    status: x.response.status,
    mime,
    text,
    bytes: bytes.length,
  });
  if (calls.length > 0) step.frame.pendingToolCalls?.add(`${step.op}|${step.n}`, calls);
}

function decoded(x: ExchangeDraft, encoding: string): Received {
  const bytes = decodeContent(Buffer.concat(x.chunks), encoding) ?? new Uint8Array();
  return { bytes, text: bytes.length === 0 ? null : textOf(bytes) };
}
