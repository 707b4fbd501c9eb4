// What a trace viewer has to show: two choices, parallel tool calls, a tool that fails, a call that is refused.
import { identify, tool } from "@reenact/node";
import OpenAI from "openai";

identify({ session: "desk-session-7" });
const client = new OpenAI({ baseURL: `${process.env.PROVIDER_URL}/v1`, apiKey: "sk-local", maxRetries: 0 });
const tools = {
  find_order: tool("find_order", async ({ id }) => ({ id, total: 12 })),
  refund: tool("refund", async () => {
    throw new RangeError("the till is empty");
  }),
};
const offers = Object.keys(tools).map((name) => ({
  type: "function",
  function: { name, parameters: { type: "object", properties: { id: { type: "string" } }, required: ["id"] } },
}));

const two = await client.chat.completions.create({
  model: "scn-n",
  n: 2,
  messages: [
    { role: "system", content: "You are kind." },
    { role: "user", content: "Grüße, 世界: say it twice" },
  ],
});
console.log(two.choices.length);
const messages = [{ role: "user", content: "Refund order 7" }];
const asked = await client.chat.completions.create({ model: "scn-tools", messages, tools: offers });
const { message } = asked.choices[0];
messages.push(message);
for (const call of message.tool_calls) {
  const said = await tools[call.function.name](JSON.parse(call.function.arguments)).catch((error) => error.message);
  messages.push({ role: "tool", tool_call_id: call.id, content: JSON.stringify(said) });
}
await client.chat.completions.create({ model: "scn-tools", messages, tools: offers });
await client.chat.completions
  .create({ model: "scn-400", messages: [{ role: "user", content: "no" }] })
  .catch((error) => console.log(error.status));
process.exitCode = 3;
