import { list, readJson } from "./json.ts";

export interface StreamEvent {
  /** value of the `event:` field */
  readonly name: string | null;
  /** parsed `data:`; events whose data is no JSON are left out */
  readonly value: unknown;
}

/**
 * Server-sent events up to `[DONE]`, lines of JSON, or the items of one JSON list. A last event that the stream's end has
 * cut off counts if its data is whole.
 */
export function readEventStream(stream: string): StreamEvent[] {
  if (stream.startsWith("{")) return jsonEvents(stream.split("\n").map(readJson));
  if (stream.startsWith("[")) return jsonEvents(list(readJson(stream)));
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

function jsonEvents(values: readonly unknown[]): StreamEvent[] {
  return values.filter((value) => value !== undefined).map((value) => ({ name: null, value }));
}
