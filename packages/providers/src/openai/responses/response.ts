import { filled, list, object, text, type JsonObject } from "../../wire/json.ts";
import type { ResponseView } from "../../view/view.ts";
import { readUsage } from "../usage.ts";
import { itemMessage } from "./items.ts";

/** One message per output item, as OpenInference has it. */
export function responsesResponse(body: JsonObject): ResponseView {
  const reason = text(object(body["incomplete_details"])["reason"]) ?? text(body["status"]);
  return {
    id: filled(body["id"]),
    model: filled(body["model"]),
    fingerprint: filled(body["system_fingerprint"]),
    finish: reason === undefined ? [] : [reason],
    messages: list(body["output"]).map((item) => itemMessage(item)),
    usage: readUsage(body["usage"]),
  };
}
