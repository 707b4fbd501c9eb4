// A librarian over Anthropic's messages, with thinking, cached parts and tools.
// steps: 1 message · 2 search · 3 message · 4 message · 5 lend
import { tool } from "@reenact/node";
import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ defaultHeaders: { "anthropic-beta": "prompt-caching-2024-07-31" } });
const search = tool("search", async ({ title }) => [{ title, shelf: "B4" }]);
const lend = tool("lend", async ({ title, to }) => `${title} to ${to}`);

const offered = [
  {
    name: "search",
    description: "Looks for a book.",
    input_schema: { type: "object", properties: { title: { type: "string" } }, required: ["title"] },
  },
  {
    name: "lend",
    description: "Lends a book.",
    input_schema: { type: "object", properties: { title: { type: "string" }, to: { type: "string" } } },
    cache_control: { type: "ephemeral" },
  },
];
const system = [
  { type: "text", text: "You are a librarian." },
  { type: "text", text: "Rules of the house: quiet.", cache_control: { type: "ephemeral" } },
];
const messages = [{ role: "user", content: "Do you have Momo?" }];

const ask = (more) =>
  client.messages.create({
    model: "claude-sonnet-4-5",
    max_tokens: 1024,
    temperature: 1,
    system,
    tools: offered,
    thinking: { type: "enabled", budget_tokens: 1024 },
    metadata: { user_id: "reader-7" },
    messages,
    ...more,
  });

const first = await ask();
messages.push({ role: "assistant", content: first.content });
const use = first.content.find((block) => block.type === "tool_use");
const found = await search(use.input);
messages.push({
  role: "user",
  content: [{ type: "tool_result", tool_use_id: use.id, content: JSON.stringify(found) }],
});
const second = await ask();
messages.push({ role: "assistant", content: second.content }, { role: "user", content: "Lend it to Ida." });
const third = await ask({ max_tokens: 2048, stop_sequences: ["STOP"] });
console.log(third.content.map((block) => block.type).join());
console.log(await lend({ title: "Momo", to: "Ida" }));
