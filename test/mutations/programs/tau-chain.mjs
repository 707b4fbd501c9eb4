// An airline's desk as in tau-bench: the model's answers are those of a recorded run, the customer's words lie in a file.
import { readFileSync } from "node:fs";
import { input, tool } from "@reenact/node";
import OpenAI from "openai";

const client = new OpenAI();
const { policy, question, results, tools: offered } = JSON.parse(readFileSync("chain.json", "utf8"));
const tools = Object.fromEntries(
  offered.map(({ function: { name } }) => [
    name,
    tool(name, async (args) => results[`${name} ${JSON.stringify(args)}`]),
  ]),
);
const messages = [
  { role: "system", content: policy },
  { role: "user", content: question },
];

for (let turn = 0; turn < 30; turn += 1) {
  const { choices } = await client.chat.completions.create({
    model: "gpt-4o",
    temperature: 0,
    messages,
    tools: offered,
  });
  const { message } = choices[0];
  messages.push(message);
  if (message.tool_calls) {
    for (const call of message.tool_calls) {
      const args = JSON.parse(call.function.arguments);
      const content = await tools[call.function.name](args);
      messages.push({ role: "tool", tool_call_id: call.id, content: content ?? "nothing found" });
    }
  } else {
    const said = await input("customer", message.content);
    if (said === "###STOP###") break;
    messages.push({ role: "user", content: said });
  }
}
console.log(messages.length);
