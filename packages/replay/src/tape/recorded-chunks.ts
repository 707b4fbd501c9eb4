import type { RecordedChunk } from "@reenact/capture/recorder";
import type { RecordedBody } from "@reenact/envelope";
import type { RecordedStep } from "./tape.ts";

/** The chunks that the recorded agent was given, cut where they were cut. */
export function recordedChunks(step: RecordedStep): RecordedChunk[] {
  const body = step.record.exchange?.response?.body;
  if (body === undefined) return [];
  const bytes = bytesOf(step, body);
  if (body.cuts === undefined) return bytes.length === 0 ? [] : [{ bytes, at: 0 }];
  const chunks: RecordedChunk[] = [];
  let from = 0;
  for (const [at, length] of body.cuts) {
    chunks.push({ bytes: bytes.subarray(from, from + length), at });
    from += length;
  }
  return chunks;
}

export function bytesOf(step: RecordedStep, body: RecordedBody): Buffer {
  if ("$" in body) return Buffer.from((body.$ === "input.value" ? step.input : step.output) ?? "");
  return "text" in body ? Buffer.from(body.text as string) : Buffer.from(body.base64, "base64");
}
