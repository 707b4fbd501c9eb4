import { crc32 } from "node:zlib";
import type { Answer } from "../answer.ts";
import { partsNamed, textOf, tokens } from "../answer-words.ts";
import type { Ask } from "../ask.ts";
import type { Format } from "../format.ts";
import { asJson, asList, type Json } from "../json.ts";
import { pieces } from "../pieces.ts";

const ROUTE = /\/model\/([^/]+)\/(converse|converse-stream|invoke|invoke-with-response-stream)$/;

function messages({ role, content }: Json): Json[] {
  const results = partsNamed(content, "toolResult");
  if (results.length > 0)
    return results.map((result) => ({ role: "tool", content: JSON.stringify(result["content"]) }));
  return [{ role, content }];
}

function usage(ask: Ask, answer: Answer): Json {
  const { input, output } = tokens(ask, answer);
  return { inputTokens: input, outputTokens: output, totalTokens: input + output };
}

function toolUse(ask: Ask, answer: Answer): { toolUseId: string; name: string; input: Json }[] {
  return (answer.calls ?? []).map(({ name, args }, at) => ({
    toolUseId: `tooluse_${ask.serial}_${at}`,
    name,
    input: { ...args },
  }));
}

function stopReason({ calls = [] }: Answer): string {
  return calls.length > 0 ? "tool_use" : "end_turn";
}

function message(ask: Ask, answer: Answer): Json {
  const text = textOf(answer);
  const said = text === "" ? [] : [{ text }];
  return { role: "assistant", content: [...said, ...toolUse(ask, answer).map((use) => ({ toolUse: use }))] };
}

/** One message of `application/vnd.amazon.eventstream`. */
function frame(event: string, value: Json): Uint8Array {
  const headers = Buffer.concat(
    Object.entries({ ":event-type": event, ":content-type": "application/json", ":message-type": "event" }).map(
      ([name, text]) => {
        const length = Buffer.alloc(3);
        length.writeUInt8(7, 0);
        length.writeUInt16BE(text.length, 1);
        return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), length, Buffer.from(text)]);
      },
    ),
  );
  const payload = Buffer.from(JSON.stringify(value));
  const whole = Buffer.alloc(16 + headers.length + payload.length);
  whole.writeUInt32BE(whole.length, 0);
  whole.writeUInt32BE(headers.length, 4);
  whole.writeUInt32BE(crc32(whole.subarray(0, 8)), 8);
  headers.copy(whole, 12);
  payload.copy(whole, 12 + headers.length);
  whole.writeUInt32BE(crc32(whole.subarray(0, -4)), whole.length - 4);
  return whole;
}

function converseEvents(ask: Ask, answer: Answer): Uint8Array[] {
  const texts = pieces(textOf(answer), answer.pieces);
  const uses = toolUse(ask, answer).flatMap(({ input, ...start }, at) => [
    frame("contentBlockStart", { contentBlockIndex: at + 1, start: { toolUse: start } }),
    frame("contentBlockDelta", { contentBlockIndex: at + 1, delta: { toolUse: { input: JSON.stringify(input) } } }),
    frame("contentBlockStop", { contentBlockIndex: at + 1 }),
  ]);
  return [
    frame("messageStart", { role: "assistant" }),
    ...texts.map((text) => frame("contentBlockDelta", { contentBlockIndex: 0, delta: { text } })),
    frame("contentBlockStop", { contentBlockIndex: 0 }),
    ...uses,
    frame("messageStop", { stopReason: stopReason(answer) }),
    frame("metadata", { usage: usage(ask, answer), metrics: { latencyMs: 12 } }),
  ];
}

/** Bedrock's `Converse` and its stream; models that are invoked speak the same format, each chunk in base64. */
export const bedrock: Format = {
  name: "bedrock",
  path: ROUTE,
  mime: "application/vnd.amazon.eventstream",
  read(body, path) {
    const [, model = "", verb = ""] = ROUTE.exec(path) ?? [];
    return {
      model: decodeURIComponent(model),
      stream: verb.endsWith("-stream"),
      system: body["system"],
      messages: asList(body["messages"]).map(asJson).flatMap(messages),
      tools: partsNamed(asJson(body["toolConfig"])["tools"], "toolSpec").map((tool) => ({
        ...tool,
        parameters: asJson(tool["inputSchema"])["json"],
      })),
    };
  },
  document: (ask, answer) => ({
    output: { message: message(ask, answer) },
    stopReason: stopReason(answer),
    usage: usage(ask, answer),
    metrics: { latencyMs: 12 },
  }),
  events(ask, answer) {
    if (ask.path.endsWith("/converse-stream")) return converseEvents(ask, answer);
    const events: Json[] = pieces(textOf(answer), answer.pieces).map((text) => ({
      contentBlockDelta: { contentBlockIndex: 0, delta: { text } },
    }));
    events.push({ messageStop: { stopReason: stopReason(answer) } }, { metadata: { usage: usage(ask, answer) } });
    return events.map((event) => {
      return frame("chunk", { bytes: Buffer.from(JSON.stringify(event)).toString("base64"), p: "abcd" });
    });
  },
  failure: ({ message: said }) => ({ message: said }),
};
