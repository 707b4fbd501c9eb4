// Asks one question after another until the model says so; looks each thing up that the model names.
import { tool } from "@reenact/node";
import OpenAI from "openai";

const client = new OpenAI({ baseURL: `${process.env.PROVIDER_URL}/v1`, apiKey: "sk-local", maxRetries: 0 });
const lookUp = tool("look_up", async ({ order }) => {
  if (order === 0) throw new RangeError("no such order");
  return { order, state: "sent" };
});
const tools = [{ type: "function", function: { name: "look_up", parameters: { type: "object" } } }];
const messages = [{ role: "system", content: "You answer for a shop of lamps." }];

for (let n = 1; ; n++) {
  messages.push({ role: "user", content: `Question ${n}: where is order ${700 + n}?` });
  const { message } = (await client.chat.completions.create({ model: "scn-tools", messages, tools })).choices[0];
  messages.push(message);
  for (const call of message.tool_calls ?? []) {
    const found = await lookUp(JSON.parse(call.function.arguments)).catch((error) => error.message);
    messages.push({ role: "tool", tool_call_id: call.id, content: JSON.stringify(found) });
  }
  if (message.content === "goodbye") break;
}
