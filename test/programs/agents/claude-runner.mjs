// Anthropic's own tool runner with tools that look things up, and a hand-off to a second model.
import { randomUUID } from "node:crypto";
import { tool } from "@reenact/node";
import Anthropic from "@anthropic-ai/sdk";
import { betaZodTool } from "@anthropic-ai/sdk/helpers/beta/zod";
import { z } from "zod";

const client = new Anthropic();
const wrapped = (name, shape, run) =>
  betaZodTool({ name, description: name, inputSchema: z.object(shape), run: tool(name, run) });

const weather = wrapped("weather", { city: z.string() }, async ({ city }) => {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 8));
  return `${city}: ${Math.round(Math.random() * 30)} degrees`;
});
const translate = wrapped("translate", { text: z.string() }, async ({ text }) => {
  const answer = await client.messages.create({
    model: "echo-random",
    max_tokens: 50,
    messages: [{ role: "user", content: `translate ${text} (${randomUUID()})` }],
  });
  return answer.content[0].text;
});

const runner = client.beta.messages.toolRunner({
  model: "scn-tools",
  max_tokens: 200,
  tools: [weather, translate],
  messages: [{ role: "user", content: "what is it like in Ulm?" }],
});
for await (const message of runner) console.log(message.stop_reason, message.content.map((block) => block.type).join());
console.log((await runner.done()).content.map((block) => block.text ?? block.name));

const streaming = client.beta.messages.toolRunner({
  model: "scn-tools",
  max_tokens: 200,
  stream: true,
  tools: [weather],
  messages: [{ role: "user", content: "and in Bonn?" }],
});
let events = 0;
for await (const stream of streaming) for await (const _ of stream) events++;
console.log(events, (await streaming).content[0].text);
