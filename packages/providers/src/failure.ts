import type { View } from "@reenact/capture";
import { filled, object, writeJson, type JsonObject } from "./wire/json.ts";

/**
 * The error of an answer: `{error: {type, status, code, message}}`, `{error: "…"}`, the bare `{type: "error", message}` of
 * an event stream, or `{message}`, `{detail}` of a host behind another server. Null when the answer is no error.
 */
export function readFailure(status: number, body: JsonObject): View["error"] {
  const inner = body["error"];
  const failed = status >= 400 || body["type"] === "error" || (inner !== undefined && inner !== null);
  if (!failed) return null;
  const error = typeof inner === "object" && inner !== null ? object(inner) : body;
  return {
    type: typeOf(error) ?? (status >= 400 ? `http_${status}` : "error"),
    message: filled(inner) ?? messageOf(error) ?? "",
  };
}

function typeOf({ type, status, code }: JsonObject): string | undefined {
  const own = type === "error" ? undefined : filled(type);
  return own ?? filled(status) ?? (typeof code === "number" ? String(code) : filled(code));
}

function messageOf({ message, detail: details }: JsonObject): string | undefined {
  return filled(message) ?? filled(details) ?? detail(details);
}

/** Servers written with FastAPI list the values that did not validate there. */
function detail(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? writeJson(value) : undefined;
}
