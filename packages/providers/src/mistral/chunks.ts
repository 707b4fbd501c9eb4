import { joinChatChunks } from "../openai/chat/chunks.ts";
import type { StreamEvent } from "../wire/event-stream.ts";
import { object, type JsonObject } from "../wire/json.ts";

/** The answer that the chunks add up to, without `p`: random padding that hides the length of a chunk. */
export function joinPaddedChunks(events: readonly StreamEvent[]): JsonObject | null {
  const whole = joinChatChunks(events);
  if (whole === null) return null;
  const { p: _, ...rest } = object(whole);
  return rest;
}
