/** One event of a recorded stream. */
export interface StreamEvent {
  /** value of the `event:` field; null where the event has none */
  name: string | null;
  data: string;
}

/** Parses a body of type `text/event-stream` or `application/x-ndjson`; null for any other type. */
export function streamEvents(text: string, mime: string): StreamEvent[] | null {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\n|\r/);
  switch (mime.split(";")[0]?.trim().toLowerCase()) {
    case "application/x-ndjson":
      return lines.filter((line) => line.trim() !== "").map((data) => ({ name: null, data }));
    case "text/event-stream":
      return serverSentEvents(lines);
    default:
      return null;
  }
}

/** A last event that lacks its empty line counts too. */
function serverSentEvents(lines: readonly string[]): StreamEvent[] {
  const events: StreamEvent[] = [];
  let name: string | null = null;
  let data: string[] = [];
  for (const line of [...lines, ""]) {
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (line === "") {
      if (data.length > 0) events.push({ name, data: data.join("\n") });
      name = null;
      data = [];
    } else if (field === "data") data.push(value);
    else if (field === "event") name = value;
  }
  return events;
}

const LAST = /^\[DONE\]$|"type":\s*"(?:message_stop|response\.(?:completed|incomplete|failed))"/;

/** Whether the events include a provider's end marker. A client that stops reading there has missed nothing. */
export function hasStreamEnd(events: readonly StreamEvent[]): boolean {
  return events.some(({ data }) => LAST.test(data.trim()));
}
