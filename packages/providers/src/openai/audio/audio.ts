import type { AnswerText } from "@reenact/capture";
import { filled, object, text, type JsonObject } from "../../wire/json.ts";
import { sizeLabel } from "../../wire/media.ts";
import type { Message } from "../../view/message.ts";
import type { OperationSpec } from "../../operation.ts";
import type { StreamEvent } from "../../wire/event-stream.ts";
import { splitBy } from "../split.ts";
import { readUsage } from "../usage.ts";

/** Text in, sound out: of the sound the view says type and size. */
export const speech: OperationSpec = {
  kind: "LLM",
  agentic: true,
  task: "generate_content",
  dimensions: splitBy({ messages: "input", system: "instructions" }),
  request(body) {
    const { input, ...parameters } = body;
    return { model: filled(body["model"]), parameters, messages: said("user", text(input)) };
  },
  response: (body, answer) => ({ messages: sound(answer), usage: readUsage(body["usage"]) }),
};

function sound({ status, mime, text: words, bytes = 0 }: AnswerText): Message[] {
  if (status >= 400 || words !== "" || bytes === 0) return [];
  return [{ role: "assistant", parts: [{ type: "audio", mime, text: sizeLabel(mime, bytes) }] }];
}

/** Sound in (a form), text out: `transcriptions` or `translations`. */
export const transcription: OperationSpec = {
  kind: "LLM",
  agentic: true,
  task: "generate_content",
  dimensions: splitBy({}),
  request: (body) => ({ model: filled(body["model"]), messages: [] }),
  response: (body) => ({ messages: said("assistant", text(body["text"])), usage: readUsage(body["usage"]) }),
  joined: transcript,
};

function said(role: string, words: string | undefined): Message[] {
  return words === undefined ? [] : [{ role, parts: [{ type: "text", text: words }] }];
}

/** The `done` event holds the whole text; before it there are only the parts. */
function transcript(events: readonly StreamEvent[]): JsonObject | null {
  const bodies = events.map(({ value }) => object(value));
  const done = bodies.findLast((event) => event["type"] === "transcript.text.done");
  if (done !== undefined) return { text: done["text"], usage: done["usage"] };
  const parts = bodies.map((event) => text(event["delta"])).filter((part) => part !== undefined);
  return parts.length === 0 ? null : { text: parts.join("") };
}
