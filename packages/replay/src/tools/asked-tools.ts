import { dialects } from "@reenact/node";
import type { RecordedStep } from "../tape/tape.ts";

/** Names of the tools that a recorded answer of a model asks for. */
export function askedTools(step: RecordedStep): string[] {
  const response = step.record.exchange?.response;
  if (response === undefined || response.status >= 400) return [];
  const request = step.record.exchange?.request;
  const mime = response.headers.find(([k]) => k.toLowerCase() === "content-type")?.[1]?.split(";")[0] ?? "";
  const text =
    response.body === undefined
      ? null
      : "text" in response.body
        ? (response.body.text as string)
        : "$" in response.body
          ? step.output
          : null;
  if (text === null || request === undefined) return [];
  for (const dialect of dialects) {
    let url: URL;
    try {
      url = new URL(request.url);
    } catch {
      return [];
    }
    const operation = dialect.recognise({
      method: request.method,
      url,
      headers: new Map(request.headers.map(([k, v]) => [k.toLowerCase(), v])),
      body: step.input,
    });
    if (operation !== null)
      return [
        ...new Set(
          operation.toolCalls({ status: response.status, mime, text, bytes: text.length }).map((ask) => ask.name),
        ),
      ];
  }
  return [];
}
