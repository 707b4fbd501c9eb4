// Reads streams in three ways: by hand, by the SDK's helper, and only in part.
// steps: 1 stream read by hand · 2 stream helper · 3 stream left after its first part · 4 tool publish · 5 last question
import { tool } from "@reenact/node";
import OpenAI from "openai";

const client = new OpenAI({ maxRetries: 0 });
const publish = tool("publish", async ({ title, words }) => `${title}: ${words}`);

const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
  method: "POST",
  headers: { "content-type": "application/json", accept: "text/event-stream" },
  body: JSON.stringify({ model: "gpt-4.1", stream: true, messages: [{ role: "user", content: "[drip] News?" }] }),
});
let text = "";
let rest = "";
for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
  const lines = (rest + part).split("\n");
  rest = lines.pop();
  for (const line of lines) {
    if (!line.startsWith("data: {")) continue;
    text += JSON.parse(line.slice(6)).choices[0]?.delta?.content ?? "";
  }
}

const helper = client.chat.completions.stream({
  model: "gpt-4.1-mini",
  stream_options: { include_usage: true },
  messages: [
    { role: "system", content: "You write titles." },
    { role: "user", content: `A title for: ${text}` },
  ],
});
let deltas = 0;
helper.on("content", () => (deltas += 1));
const { usage } = await helper.finalChatCompletion();

const left = await client.chat.completions.create({
  model: "gpt-4.1-nano",
  stream: true,
  messages: [{ role: "user", content: "[drip] A longer one." }],
});
for await (const chunk of left) {
  if (chunk.choices[0]?.delta?.content) break;
}

console.log(await publish({ title: text.slice(0, 12), words: text.split(" ").length }));
const last = await client.chat.completions.create({
  model: "gpt-4.1-nano",
  messages: [{ role: "user", content: `Is ${usage?.total_tokens > 0} true?` }],
});
console.log(last.choices.length, deltas > 0);
