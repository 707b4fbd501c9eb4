// Two streams at once and one after them, over chat completions. steps: 1, 2 the drafts · 3 the choice · 4 keep
import { tool } from "@reenact/node";
import OpenAI from "openai";

const client = new OpenAI({ maxRetries: 0 });
const keep = tool("keep", async (text) => text.length > 0);

async function draft(topic) {
  const stream = await client.chat.completions.create({
    model: "gpt-4.1-mini",
    stream: true,
    stream_options: { include_usage: true },
    temperature: 1,
    messages: [{ role: "user", content: `Write a line about ${topic}.` }],
  });
  let text = "";
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta?.content ?? "";
  }
  return text;
}

const drafts = await Promise.all([draft("the sea"), draft("the hills")]);
const stream = client.chat.completions.stream({
  model: "gpt-4.1",
  messages: [
    { role: "system", content: "You choose." },
    { role: "user", content: drafts.join("\n") },
  ],
});
stream.on("content", (delta) => process.stdout.write(delta));
const final = await stream.finalChatCompletion();
process.stdout.write("\n");
console.log(await keep(final.choices[0].message.content));
