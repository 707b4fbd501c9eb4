import { readFileSync } from "node:fs";
import { tool } from "@reenact/node";
import OpenAI from "openai";

const prompt = readFileSync(new URL("prompt.txt", import.meta.url), "utf8").trim();
const cancelOrder = tool("cancel_order", async ({ number }) => `${number} is cancelled`);

const client = new OpenAI();
const tools = [
  {
    type: "function",
    function: {
      name: "cancel_order",
      parameters: { type: "object", properties: { number: { type: "string" } }, required: ["number"] },
    },
  },
];
const messages = [
  { role: "system", content: prompt },
  { role: "user", content: "Dana asks to cancel A-1002." },
];
for (;;) {
  const completion = await client.chat.completions.create({
    model: process.env.MODEL ?? "gpt-4.1-mini",
    messages,
    tools,
  });
  const { message } = completion.choices[0];
  if (!message.tool_calls?.length) {
    console.log(message.content);
    break;
  }
  messages.push(message);
  for (const call of message.tool_calls) {
    const content = await cancelOrder(JSON.parse(call.function.arguments));
    messages.push({ role: "tool", tool_call_id: call.id, content });
  }
}
