// Two agent() calls in one program, one after the other, and a check behind them.
// Each call of an agent in a program without steps of its own before it is a run; here the program's run holds them.
import { agent, tool } from "@reenact/node";
import OpenAI from "openai";

const client = new OpenAI();
const save = tool("save", async ({ kind, text }) => `${kind}: ${text.length}`);

const ask = async (content) => {
  const { choices } = await client.chat.completions.create({
    model: "gpt-4.1-mini",
    messages: [{ role: "user", content }],
  });
  return choices[0].message.content;
};
const triage = agent("triage", async (ticket) => {
  const kind = await ask(`What kind is ${ticket}?`);
  return save({ kind: "ticket", text: kind });
});
const reply = agent("reply", async (ticket) => {
  const draft = await ask(`Answer ${ticket}.`);
  const better = await ask(`Improve: ${draft}`);
  return save({ kind: "reply", text: better });
});

console.log(await triage("T-1"));
console.log(await reply("T-1"));
console.log(await triage("T-2"));
