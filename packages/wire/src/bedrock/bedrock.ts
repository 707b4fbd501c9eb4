import { crc32 } from "node:zlib";
import { messages as anthropic } from "../anthropic/messages.ts";
import type { Answer, Failure } from "../answer.ts";
import { partsNamed, textOf, tokens } from "../answer-words.ts";
import type { Ask } from "../ask.ts";
import type { Format } from "../format.ts";
import { asJson, asList, type Json } from "../json.ts";
import { pieces } from "../pieces.ts";

const ROUTE = /\/model\/([^/]+)\/(converse|converse-stream|invoke|invoke-with-response-stream)$/;

/** An invoked model of Anthropic's, which speaks its maker's format. */
const isAnthropic = (body: Json): boolean => typeof body["anthropic_version"] === "string";

const EXCEPTIONS: Readonly<Record<number, string>> = {
  400: "ValidationException",
  403: "AccessDeniedException",
  404: "ResourceNotFoundException",
  408: "ModelTimeoutException",
  424: "ModelErrorException",
  429: "ThrottlingException",
  503: "ServiceUnavailableException",
};

/** Clients tell errors apart by it. */
function exceptionOf({ status, type }: Failure): string {
  return type.endsWith("Exception") ? type : (EXCEPTIONS[status] ?? "InternalServerException");
}

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
function frame(name: string, value: Json, type: "event" | "exception" = "event"): Uint8Array {
  const named = { [`:${type}-type`]: name, ":content-type": "application/json", ":message-type": type };
  const headers = Buffer.concat(
    Object.entries(named).map(([header, text]) => {
      const length = Buffer.alloc(3);
      length.writeUInt8(7, 0);
      length.writeUInt16BE(text.length, 1);
      return Buffer.concat([Buffer.from([header.length]), Buffer.from(header), length, Buffer.from(text)]);
    }),
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

/** An event of an invoked model's own stream. */
function chunk(json: string): Uint8Array {
  return frame("chunk", { bytes: Buffer.from(json).toString("base64"), p: "abcd" });
}

/** Of an event stream, the data of one event. */
const dataOf = (event: string): string => /^data: (.*)$/m.exec(event)?.[1] ?? "{}";

/** Bedrock's `Converse` and its stream; models that are invoked speak the same format or Anthropic's, each chunk in base64. */
export const bedrock: Format = {
  name: "bedrock",
  path: ROUTE,
  mime: "application/vnd.amazon.eventstream",
  read(body, path) {
    const [, id = "", verb = ""] = ROUTE.exec(path) ?? [];
    const [model, stream] = [decodeURIComponent(id), verb.endsWith("-stream")];
    if (isAnthropic(body)) return { ...body, model, stream };
    return {
      model,
      stream,
      system: body["system"],
      messages: asList(body["messages"]).map(asJson).flatMap(messages),
      tools: partsNamed(asJson(body["toolConfig"])["tools"], "toolSpec").map((tool) => ({
        ...tool,
        parameters: asJson(tool["inputSchema"])["json"],
      })),
    };
  },
  document(ask, answer) {
    if (isAnthropic(ask.body)) return anthropic.document(ask, answer);
    return {
      output: { message: message(ask, answer) },
      stopReason: stopReason(answer),
      usage: usage(ask, answer),
      metrics: { latencyMs: 12 },
    };
  },
  events(ask, answer) {
    if (isAnthropic(ask.body))
      return (anthropic.events?.(ask, answer) ?? []).map((event) => chunk(dataOf(String(event))));
    if (ask.path.endsWith("/converse-stream")) return converseEvents(ask, answer);
    const events: Json[] = pieces(textOf(answer), answer.pieces).map((text) => ({
      contentBlockDelta: { contentBlockIndex: 0, delta: { text } },
    }));
    events.push({ messageStop: { stopReason: stopReason(answer) } }, { metadata: { usage: usage(ask, answer) } });
    return events.map((event) => chunk(JSON.stringify(event)));
  },
  failure: (failure) => ({ __type: exceptionOf(failure), message: failure.message }),
  failureEvent(failure) {
    const name = exceptionOf(failure);
    return frame(`${name.charAt(0).toLowerCase()}${name.slice(1)}`, { message: failure.message }, "exception");
  },
};
