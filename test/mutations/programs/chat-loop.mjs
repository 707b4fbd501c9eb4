// An order desk over chat completions: runs the tools that the model asks for, then sums up.
// steps: 1 chat · 2, 3 find_order · 4 chat · 5 cancel_order · 6 chat · 7 summary · 8 notify
import { tool } from "@reenact/node";
import OpenAI from "openai";

const client = new OpenAI();
const tools = {
  find_order: tool("find_order", async ({ number }) => ({ number, state: "packing", cents: 4900 })),
  cancel_order: tool("cancel_order", async ({ number, reason }) => `cancelled ${number}: ${reason}`),
  notify: tool("notify", async ({ to, text }) => `told ${to}: ${text}`),
};

const number = { type: "string", description: "Number of an order." };
const offered = [
  {
    type: "function",
    function: {
      name: "find_order",
      description: "Finds an order.",
      parameters: { type: "object", properties: { number }, required: ["number"] },
    },
  },
  {
    type: "function",
    function: {
      name: "cancel_order",
      description: "Cancels an order.",
      parameters: { type: "object", properties: { number, reason: { type: "string" } }, required: ["number"] },
    },
  },
];

const messages = [
  { role: "system", content: "You are the order desk of a shop." },
  { role: "user", content: "Where is order A-1001?" },
  { role: "assistant", content: "It is on its way." },
  { role: "user", content: "Please cancel A-1002, it is a duplicate." },
];

for (let turn = 0; turn < 6; turn += 1) {
  const completion = await client.chat.completions.create({
    model: "gpt-4.1-mini",
    temperature: 0.2,
    max_tokens: 400,
    seed: 7,
    user: "desk-1",
    metadata: { team: "orders" },
    messages,
    tools: offered,
    tool_choice: "auto",
  });
  const { message } = completion.choices[0];
  messages.push(message);
  if (!message.tool_calls) break;
  for (const call of message.tool_calls) {
    const args = JSON.parse(call.function.arguments);
    const result = await tools[call.function.name](args);
    messages.push({ role: "tool", tool_call_id: call.id, content: JSON.stringify(result) });
  }
}

const summary = await client.chat.completions.create({
  model: "gpt-4.1-nano",
  stop: ["END"],
  messages: [
    { role: "system", content: "You sum up." },
    { role: "user", content: messages.at(-1).content },
  ],
});
console.log(await tools.notify({ to: "desk", text: summary.choices[0].message.content }));
