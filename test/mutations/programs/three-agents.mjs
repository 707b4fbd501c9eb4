// Three agents at once in one process, and a fourth that takes what they return. The process calls the model itself, too.
import { agent, tool } from "@reenact/node";
import OpenAI from "openai";

const client = new OpenAI({ maxRetries: 0 });
const lookUp = tool("look_up", async ({ topic, depth }) => `${topic} at ${depth}`);
const ask = async (content, model = "gpt-4.1-nano") => {
  const { choices } = await client.chat.completions.create({ model, messages: [{ role: "user", content }] });
  return choices[0].message.content;
};

const research = agent("research", async ({ topic, depth }) => {
  const found = await lookUp({ topic, depth });
  await new Promise((done) => setTimeout(done, 5));
  const text = await ask(`Explain ${found}`);
  return { topic, words: text.split(" ").length };
});
const judge = agent("judge", async (rows) => {
  const said = await ask(`Which of ${rows.map(({ topic }) => topic).join(", ")}?`, "gpt-4.1");
  return said.length > 10;
});

const topics = ["tides", "moss", "glass"];
const rows = await Promise.all(topics.map((topic, depth) => research({ topic, depth })));
const isGood = await judge(rows);
const last = await ask(`Done with ${rows.length}: ${isGood}`);
console.log(rows.map(({ topic, words }) => `${topic} ${words}`).join("; "), last.length > 0);
