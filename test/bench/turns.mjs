// turns.mjs <turns> <growing|alone>: an agent whose every turn sends some new text, with all turns before it or without
// them, and gets 2 KB back.
import OpenAI from "openai";
import { prose } from "./prose.mjs";

const turns = Number(process.argv[2]);
const growing = process.argv[3] === "growing";
const client = new OpenAI({ apiKey: "sk-bench", baseURL: "http://provider.test/v1", maxRetries: 0 });
const messages = [];

for (let turn = 0; turn < turns; turn++) {
  const content = prose(growing ? 1536 : 256, turn);
  const sent = growing ? [...messages, { role: "user", content }] : [{ role: "user", content }];
  const wish = JSON.stringify({ bytes: growing ? 2048 : 256, chunks: 0, turn });
  const answer = await client.chat.completions.create({ model: "gpt-5-mini", messages: sent, user: `[[${wish}]]` });
  messages.push(sent.at(-1), { role: "assistant", content: answer.choices[0].message.content });
}
process.stdout.write(`${messages.length}\n`);
