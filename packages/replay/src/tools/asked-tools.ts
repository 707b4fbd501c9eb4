import type { Operation } from "@reenact/capture";
import { dialects } from "@reenact/node";
import type { RecordedStep } from "../tape/tape.ts";

/** Names of the tools that a recorded answer of a model asks for. */
export function askedTools(step: RecordedStep): string[] {
  const response = step.record.exchange?.response;
  if (response === undefined || response.status >= 400) return [];
  const text = answerText(step);
  const operation = text === null ? null : operationOf(step);
  if (text === null || operation === null) return [];
  const mime = response.headers.find(([k]) => k.toLowerCase() === "content-type")?.[1]?.split(";")[0] ?? "";
  const calls = operation.toolCalls({ status: response.status, mime, text, bytes: text.length });
  return [...new Set(calls.map(({ name }) => name))];
}

/** Null: the answer has no body, or one that is not text. */
function answerText({ record, output }: RecordedStep): string | null {
  const body = record.exchange?.response?.body;
  if (body === undefined) return null;
  if ("text" in body) return body.text as string;
  return "$" in body ? output : null;
}

/** The operation of the step's request, by the first dialect that recognises it. */
function operationOf({ record, input }: RecordedStep): Operation | null {
  const request = record.exchange?.request;
  const url = URL.parse(request?.url ?? "");
  if (request === undefined || url === null) return null;
  const headers = new Map(request.headers.map(([k, v]) => [k.toLowerCase(), v]));
  for (const dialect of dialects) {
    const operation = dialect.recognise({ method: request.method, url, headers, body: input });
    if (operation !== null) return operation;
  }
  return null;
}
