/** One event of a stream, as it was sent. */
export interface ShownEvent {
  /** value of the `event:` field */
  name: string | null;
  data: string;
}

/** The events of a body of `text/event-stream` or `application/x-ndjson`; null for another type. */
export function streamEvents(text: string, mime: string): ShownEvent[] | null {
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

/** A last event that the stream's end has cut off counts, too. */
function serverSentEvents(lines: readonly string[]): ShownEvent[] {
  const events: ShownEvent[] = [];
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

/** Whether a provider's stream has come to its own end: a client that stops reading there has lost nothing. */
export function hasStreamEnd(events: readonly ShownEvent[]): boolean {
  return events.some(({ data }) => LAST.test(data.trim()));
}
