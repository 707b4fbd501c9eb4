import { count, list, object, text, type JsonObject } from "../../wire/json.ts";
import type { StreamEvent } from "../../wire/event-stream.ts";

/** Fields of a delta that name something: the first value stands. All other texts of deltas are joined. */
const NAMES: ReadonlySet<string> = new Set(["id", "index", "type", "role", "name", "format", "signature"]);

const MAX_DEPTH = 32;

/** What grows while chunks arrive; without a prototype, so that a key such as `__proto__` is a plain key. */
type Growing = Record<string, unknown>;

/** The chat completion that the chunks add up to, choices and tool calls by their index; null when there is none. */
export function joinChatChunks(events: readonly StreamEvent[]): JsonObject | null {
  const whole: Growing = empty();
  const choices = new Map<number, Growing>();
  for (const { value } of events) {
    const chunk = object(value);
    for (const key of Object.keys(chunk)) {
      if (key === "choices") for (const part of list(chunk[key])) joinChoice(choices, object(part));
      else if (key !== "obfuscation" && (chunk[key] !== null || !(key in whole))) whole[key] = chunk[key];
    }
  }
  if (choices.size === 0 && whole["id"] === undefined && whole["error"] === undefined) return null;
  if (whole["object"] === "chat.completion.chunk") whole["object"] = "chat.completion";
  whole["choices"] = [...choices].sort(([a], [b]) => a - b).map(([, choice]) => choice);
  return whole;
}

function joinChoice(choices: Map<number, Growing>, part: JsonObject): void {
  const { delta, message, index: place, logprobs: _, ...rest } = part;
  const index = count(place) ?? 0;
  const known = choices.get(index);
  const choice = known ?? Object.assign(empty(), { index, message: empty() });
  if (known === undefined) choices.set(index, choice);
  for (const [key, field] of Object.entries(rest)) {
    if (key === "text") choice[key] = (text(choice[key]) ?? "") + (text(field) ?? "");
    else if (field !== null || !(key in choice)) choice[key] = field;
  }
  grow(choice["message"] as Growing, object(delta ?? message), 0);
}

function grow(into: Growing, delta: JsonObject, depth: number): void {
  for (const [key, value] of Object.entries(delta)) {
    const before = into[key];
    if (value === null || value === undefined) into[key] ??= null;
    else if (Array.isArray(value)) growList((into[key] = Array.isArray(before) ? before : []), value, depth);
    else if (typeof value === "object") {
      if (depth >= MAX_DEPTH) into[key] = value;
      else grow((into[key] = isGrowing(before) ? before : empty()), object(value), depth + 1);
    } else if (typeof value === "string" && typeof before === "string") {
      into[key] = NAMES.has(key) ? before || value : before + value;
    } else into[key] = value;
  }
}

function growList(into: unknown[], delta: readonly unknown[], depth: number): void {
  for (const value of delta) {
    const item = object(value);
    const same = into.findLast(
      (known) => isGrowing(known) && item["index"] !== undefined && known["index"] === item["index"],
    );
    if (isGrowing(same)) grow(same, item, depth + 1);
    else if (item["index"] === undefined || depth >= MAX_DEPTH) into.push(value);
    else {
      const fresh = empty();
      grow(fresh, item, depth + 1);
      into.push(fresh);
    }
  }
}

function isGrowing(value: unknown): value is Growing {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === null;
}

function empty(): Growing {
  return Object.create(null) as Growing;
}
