import { readJson } from "./json.ts";

export interface StreamEvent {
  /** value of the `event:` field */
  readonly name: string | null;
  /** parsed `data:`; events whose data is no JSON are left out */
  readonly value: unknown;
}

/**
 * Server-sent events up to `[DONE]`. A last event that the stream's end has cut off counts if its data is whole.
 */
export function readEventStream(stream: string): StreamEvent[] {
  const events: StreamEvent[] = [];
  let name: string | null = null;
  let data: string | null = null;
  const source = stream.startsWith("\uFEFF") ? stream.slice(1) : stream;
  const lines = source.split(source.includes("\r") ? /\r\n|\n|\r/ : "\n");
  lines.push("");
  for (const line of lines) {
    if (line === "") {
      if (data === "[DONE]") break;
      const value = data === null ? undefined : readJson(data);
      if (value !== undefined) events.push({ name, value });
      name = null;
      data = null;
    } else if (line.startsWith("data:")) {
      const more = line.slice(line[5] === " " ? 6 : 5);
      data = data === null ? more : `${data}\n${more}`;
    } else if (line.startsWith("event:")) name = line.slice(line[6] === " " ? 7 : 6);
  }
  return events;
}
