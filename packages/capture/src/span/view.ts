import { TOOL_NAME, TOOL_PARAMETERS } from "@arizeai/openinference-semantic-conventions";
import type { RecordedExchange } from "@reenact/envelope";
import type { View } from "./dialect.ts";
import type { StepDraft } from "./draft.ts";

/** The OpenInference view of a function step. */
export function callView({ kind, name, input }: StepDraft): View {
  const attributes: View["attributes"] = {};
  if (kind === "TOOL") {
    attributes[TOOL_NAME] = name;
    if (input !== null) attributes[TOOL_PARAMETERS] = input;
  }
  return { attributes, model: {}, error: null };
}

/** An exchange that no provider's package knows. */
export function httpView(request: RecordedExchange["request"], status: number | null): View {
  return {
    attributes: {
      "http.request.method": request.method,
      "url.full": request.url,
      ...(status === null ? {} : { "http.response.status_code": status }),
    },
    model: {},
    error: null,
  };
}
