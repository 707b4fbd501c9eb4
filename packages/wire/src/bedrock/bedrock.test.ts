import { expect, test } from "vitest";
import type { Answer } from "../answer.ts";
import { framesOf, type Frames } from "../frames.ts";
import { readAsk } from "../read-ask.ts";

const CLAUDE = {
  anthropic_version: "bedrock-2023-05-31",
  tools: [{ name: "look_up", input_schema: { type: "object" } }],
};

function answered(verb: string, body: object, answer: Answer): Frames {
  const raw = Buffer.from(JSON.stringify({ messages: [{ role: "user", content: "Hello" }], ...body }));
  return framesOf(readAsk({ method: "POST", path: `/model/claude/${verb}`, raw }, "s0001n000001"), answer);
}

const textOf = ({ parts }: Frames): string => Buffer.concat(parts).toString("latin1");

test("an invoked model of Anthropic's is read and answered in its maker's format", () => {
  const calls = [{ name: "look_up", args: { id: "A-17" } }];
  const document: unknown = JSON.parse(textOf(answered("invoke", CLAUDE, { calls })));
  expect(document).toMatchObject({ type: "message", stop_reason: "tool_use", content: [{ name: "look_up" }] });
  const { parts } = answered("invoke-with-response-stream", CLAUDE, { text: "Hi" });
  const types = parts.map((part) => {
    const [, bytes = ""] = /"bytes":"([^"]*)"/.exec(Buffer.from(part).toString("latin1")) ?? [];
    return (JSON.parse(Buffer.from(bytes, "base64").toString()) as { type: string }).type;
  });
  expect([types[0], types.at(-1)]).toEqual(["message_start", "message_stop"]);
  const ask = readAsk(
    { method: "POST", path: "/model/claude/invoke", raw: Buffer.from(JSON.stringify(CLAUDE)) },
    "s0001n000001",
  );
  expect(ask).toMatchObject({ model: "claude", stream: false, tools: [{ name: "look_up" }] });
});

test("errors have the names by which clients tell them apart, also in a stream", () => {
  const failure = { status: 429, type: "rate_limit_error", message: "slower" };
  expect(JSON.parse(textOf(answered("converse", {}, { failure })))).toEqual({
    __type: "ThrottlingException",
    message: "slower",
  });
  const broken = answered("converse-stream", {}, { text: "Hello", interrupt: { ...failure, status: 500 } });
  expect(textOf(broken)).toMatch(/:exception-type.*internalServerException.*:message-type.*exception/s);
});
