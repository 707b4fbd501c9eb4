import type { StreamEvent } from "../wire/event-stream.ts";
import { count, list, object, text, type JsonObject } from "../wire/json.ts";

/** The response that the chunks add up to: candidates by their index, neighbouring texts of one kind joined. */
export function joinCandidates(events: readonly StreamEvent[]): JsonObject | null {
  if (events.length === 0) return null;
  const whole = new Map<string, unknown>();
  const candidates = new Map<number, { fields: Map<string, unknown>; parts: JsonObject[] }>();
  for (const { value } of events) {
    const { candidates: some, ...rest } = object(value);
    for (const [key, field] of Object.entries(rest)) whole.set(key, field);
    for (const entry of list(some)) {
      const { content, ...fields } = object(entry);
      const index = count(fields["index"]) ?? 0;
      const known = candidates.get(index) ?? { fields: new Map<string, unknown>(), parts: [] };
      candidates.set(index, known);
      for (const [key, field] of Object.entries(fields)) known.fields.set(key, field);
      for (const part of list(object(content)["parts"])) addPart(known.parts, object(part));
    }
  }
  const joined = [...candidates]
    .sort(([a], [b]) => a - b)
    .map(([, { fields, parts }]) => ({ content: { parts, role: "model" }, ...Object.fromEntries(fields) }));
  return { ...(joined.length > 0 ? { candidates: joined } : {}), ...Object.fromEntries(whole) };
}

function addPart(parts: JsonObject[], part: JsonObject): void {
  const last = parts.at(-1);
  const before = text(last?.["text"]);
  const more = text(part["text"]);
  if (last === undefined || before === undefined || more === undefined || last["thought"] !== part["thought"])
    parts.push(part);
  else parts[parts.length - 1] = { ...last, ...part, text: before + more };
}
