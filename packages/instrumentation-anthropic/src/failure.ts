import type { View } from "@reenact/capture";
import { filled, object, type JsonObject } from "@reenact/capture/dialect";

/** The error of an answer: `{type: "error", error: {type, message}}`. Null when the answer is no error. */
export function readFailure(status: number, body: JsonObject): View["error"] {
  if (status < 400 && body["type"] !== "error") return null;
  const error = object(body["error"]);
  return {
    type: filled(error["type"]) ?? (status >= 400 ? `http_${status}` : "error"),
    message: filled(error["message"]) ?? filled(body["error"]) ?? filled(body["message"]) ?? "",
  };
}
