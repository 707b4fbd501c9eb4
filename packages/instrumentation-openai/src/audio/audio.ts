import type { AnswerText } from "@reenact/capture";
import {
  filled,
  object,
  sizeLabel,
  text,
  type JsonObject,
  type Message,
  type Reading,
  type StreamEvent,
} from "@reenact/capture/dialect";
import { splitBy } from "../dimensions.ts";
import { readUsage } from "../usage.ts";

/** Text in, sound out: of the sound the view says type and size. */
export const speech: Reading = {
  op: "openai.audio.speech",
  kind: "LLM",
  agentic: true,
  name: "audio.speech",
  task: "generate_content",
  dimensions: splitBy({ messages: "input", system: "instructions" }),
  asked(body) {
    const { input, ...parameters } = body;
    return { model: filled(body["model"]), parameters, messages: said("user", text(input)) };
  },
  answered: (body, answer) => ({ messages: sound(answer), usage: readUsage(body["usage"]) }),
};

function sound({ status, mime, text: words, bytes = 0 }: AnswerText): Message[] {
  if (status >= 400 || words !== "" || bytes === 0) return [];
  return [{ role: "assistant", parts: [{ type: "audio", mime, text: sizeLabel(mime, bytes) }] }];
}

/** Sound in (a form), text out: `transcriptions` or `translations`. */
export function transcription(name: string): Reading {
  return {
    op: `openai.audio.${name}`,
    kind: "LLM",
    agentic: true,
    name: `audio.${name}`,
    task: "generate_content",
    dimensions: splitBy({}),
    asked: (body) => ({ model: filled(body["model"]), messages: [] }),
    answered: (body) => ({ messages: said("assistant", text(body["text"])), usage: readUsage(body["usage"]) }),
    joined: transcript,
  };
}

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
