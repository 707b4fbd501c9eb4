// Streams of Anthropic's messages, one of them left early, and a count of tokens.
// steps: 1 count · 2 stream · 3 stream, left early · 4 message
import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ maxRetries: 0 });
const model = "claude-haiku-4-5";
const messages = [{ role: "user", content: "Tell a story in three lines." }];

const { input_tokens: tokens } = await client.messages.countTokens({ model, messages });
console.log(tokens > 0);
const stream = client.messages.stream({ model, max_tokens: 200, messages, top_p: 0.9 });
stream.on("text", (text) => process.stdout.write(text));
const story = await stream.finalMessage();
process.stdout.write("\n");

const events = await client.messages.create({
  model,
  max_tokens: 100,
  messages: [...messages, { role: "assistant", content: story.content[0].text }, { role: "user", content: "Go on." }],
  stream: true,
});
let count = 0;
for await (const event of events) {
  if (event.type !== "content_block_delta") continue;
  count += 1;
  if (count === 3) break;
}
console.log(`left after ${count}`);
const last = await client.messages.create({
  model,
  max_tokens: 50,
  messages: [{ role: "user", content: `A title for: ${story.content[0].text}` }],
});
console.log(last.content[0].text);
