import { setTimeout as sleep } from "node:timers/promises";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Provider } from "../../examples/scripted-provider/provider.ts";
import { startProvider } from "./start-provider.ts";

let provider: Provider;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  provider = await startProvider();
  openai = new OpenAI({ apiKey: "none", baseURL: `${provider.url}/v1` });
  anthropic = new Anthropic({ apiKey: "none", baseURL: provider.url });
});

afterAll(async () => {
  await provider.stop();
});

function ask(model: string, content = "hello"): { model: string; messages: { role: "user"; content: string }[] } {
  return { model, messages: [{ role: "user", content }] };
}

test("no two answers are the same", async () => {
  const first = await openai.chat.completions.create(ask("scn-ok"));
  const second = await openai.chat.completions.create(ask("scn-ok"));
  expect(first.choices[0]?.message.content).toMatch(/^You said: hello \(s[0-9a-f]{4}n\d{6}\)$/);
  expect(second.choices[0]?.message.content).not.toBe(first.choices[0]?.message.content);
  expect(second.id).not.toBe(first.id);
});

test("a stream says the same as a document, in parts that end in the middle of letters", async () => {
  const stream = openai.chat.completions.stream(ask("scn-ragged"));
  const text = await stream.finalContent();
  expect(text).toMatch(/^(Grüße, 世界 🌍, fin\. ){8}\(s/);
});

test("a refused first try succeeds when it is tried again", async () => {
  const before = provider.log.length;
  await openai.chat.completions.create(ask("scn-429-then-ok"));
  const requests = provider.log.slice(before).filter((entry) => entry.event === "request");
  expect(requests).toHaveLength(2);
});

test("an early break is seen as a cancellation at once", async () => {
  const stream = await openai.chat.completions.create({ ...ask("scn-stream-slow"), stream: true });
  for await (const chunk of stream) if (chunk.choices[0]?.delta.content) break;
  const broken = Date.now();
  while (provider.log.at(-1)?.event !== "end") await sleep(5);
  expect(provider.log.at(-1)).toMatchObject({ event: "end", how: "cancelled" });
  expect(Date.now() - broken).toBeLessThan(500);
});

test("thinking carries its signature through a stream", async () => {
  const stream = anthropic.messages.stream({ ...ask("scn-thinking"), max_tokens: 100 });
  const message = await stream.finalMessage();
  expect(message.content.map((block) => block.type)).toEqual(["thinking", "text"]);
  const [thinking] = message.content;
  expect(thinking?.type === "thinking" && thinking.signature.length).toBe(88);
});

test("a cut stream and a reset connection fail as such", async () => {
  const cut = openai.chat.completions.stream(ask("scn-cut"));
  await expect(cut.finalContent()).rejects.toThrow();
  const client = openai.withOptions({ maxRetries: 0 });
  await expect(client.chat.completions.create(ask("scn-reset"))).rejects.toThrow(OpenAI.APIConnectionError);
  expect(provider.log.filter((entry) => entry.event === "end" && entry.how === "dropped")).toHaveLength(2);
});

test("parallel tool calls come whole through both wire formats", async () => {
  const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
  const chat = await openai.chat.completions
    .stream({ ...ask("scn-tools"), tools: [{ type: "function", function: { name: "weather", parameters } }] })
    .finalMessage();
  expect(chat.tool_calls).toHaveLength(2);
  const message = await anthropic.messages
    .stream({
      ...ask("scn-tools"),
      max_tokens: 100,
      tools: [{ name: "weather", input_schema: { ...parameters, required: ["city"] } }],
    })
    .finalMessage();
  expect(message.content.filter((block) => block.type === "tool_use")).toHaveLength(2);
});
