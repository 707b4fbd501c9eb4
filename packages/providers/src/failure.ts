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
  const code = typeof error["code"] === "number" ? String(error["code"]) : filled(error["code"]);
  const type = error["type"] === "error" ? undefined : filled(error["type"]);
  const said = filled(inner) ?? filled(error["message"]) ?? filled(error["detail"]) ?? detail(error["detail"]);
  const named = filled(error["status"]);
  return { type: type ?? named ?? code ?? (status >= 400 ? `http_${status}` : "error"), message: said ?? "" };
}

/** Servers written with FastAPI put a list of what did not validate there. */
function detail(value: unknown): string | undefined {
  return typeof value === "object" && value !== null ? writeJson(value) : undefined;
}
