// A chat over standard input: reads a line, streams the answer, keeps the history; ":forget" and ":quit" are commands.
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import OpenAI from "openai";

const client = new OpenAI();
let history = [{ role: "system", content: "You are brief." }];

const lines = createInterface({ input: process.stdin, terminal: false });
lines.on("close", () => console.log("(closed)"));
for await (const line of lines) {
  if (line === ":quit") break;
  if (line === ":forget") {
    history = history.slice(0, 1);
    continue;
  }
  history.push({ role: "user", content: line });
  const stream = await client.chat.completions.create({ model: "echo-random", stream: true, messages: history });
  let text = "";
  await pipeline(
    Readable.from(stream),
    async function* (chunks) {
      for await (const chunk of chunks) yield chunk.choices[0]?.delta?.content ?? "";
    },
    async (pieces) => {
      for await (const piece of pieces) {
        text += piece;
        process.stdout.write(piece);
      }
    },
  );
  process.stdout.write("\n");
  history.push({ role: "assistant", content: text });
}
console.log(`${history.length} messages`);
