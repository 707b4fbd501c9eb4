import { filled, list, object, text, type JsonObject } from "../../wire/json.ts";
import { mediaLabel } from "../../wire/media.ts";
import type { Message, Part } from "../../view/message.ts";
import type { OperationSpec } from "../../operation.ts";
import type { StreamEvent } from "../../wire/event-stream.ts";
import { imagePart } from "../chat/request.ts";
import { splitBy } from "../split.ts";
import { readUsage } from "../usage.ts";

/** `generations`, `edits` or `variations`. */
export const images: OperationSpec = {
  kind: "LLM",
  agentic: true,
  task: "generate_content",
  dimensions: splitBy({ messages: "prompt" }),
  request(body) {
    const { prompt, image, images: several, mask, ...parameters } = body;
    const pictures = [image, mask, ...list(several)].filter((value) => value !== undefined).map(picture);
    const said: Part[] = text(prompt) === undefined ? [] : [{ type: "text", text: text(prompt) }];
    return { model: filled(body["model"]), parameters, messages: [{ role: "user", parts: [...said, ...pictures] }] };
  },
  response: (body) => ({ model: filled(body["model"]), messages: drawn(body), usage: readUsage(body["usage"]) }),
  joined: finishedPictures,
};

function picture(value: unknown): Part {
  const item = object(value);
  return imagePart(text(value) ?? text(item["image_url"]) ?? text(item["url"]));
}

function drawn(body: JsonObject): Message[] {
  const mime = `image/${filled(body["output_format"]) ?? "png"}`;
  const pictures = list(body["data"]).map((value): Part => {
    const item = object(value);
    const bytes = text(item["b64_json"]);
    return bytes === undefined ? imagePart(text(item["url"])) : { type: "image", mime, text: mediaLabel(mime, bytes) };
  });
  return pictures.length === 0 ? [] : [{ role: "assistant", parts: pictures }];
}

/** The events of the finished pictures in the form of an answer that is no stream. */
function finishedPictures(events: readonly StreamEvent[]): JsonObject | null {
  const ends = events.map(({ value }) => object(value)).filter((event) => text(event["type"])?.endsWith(".completed"));
  if (ends.length === 0) return null;
  const { type: _, b64_json: __, ...rest } = object(ends.at(-1));
  return { ...rest, data: ends.map((event) => ({ b64_json: event["b64_json"] })) };
}
