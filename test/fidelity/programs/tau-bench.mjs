// The agent's loop of tau-bench over one recorded run: `node tau-bench.mjs <file>` with `{ traj, tools }`. Tools and the customer say what they
// said then.
import { readFileSync } from "node:fs";
import { step, tool } from "@reenact/node";
import OpenAI from "openai";

const { traj, tools } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const client = new OpenAI();
const messages = traj.slice(0, 2);
const next = () => traj[messages.length];
const run = Object.fromEntries(tools.map(({ function: { name } }) => [name, tool(name, async () => next().content)]));

while (next()?.role === "assistant") {
  const { choices } = await client.chat.completions.create({ model: "gpt-4o", temperature: 0, messages, tools });
  const { message } = choices[0];
  messages.push(message);
  const [call] = message.tool_calls ?? [];
  if (next() === undefined) break;
  if (call === undefined) messages.push({ role: "user", content: await step("customer", async () => next().content) });
  else {
    const { name, arguments: args } = call.function;
    messages.push({ role: "tool", tool_call_id: call.id, name, content: await run[name](JSON.parse(args)) });
  }
}
console.log(messages.length, JSON.stringify(messages.at(-1)));
