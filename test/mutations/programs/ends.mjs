// Says things on both outputs, reads its configuration and a variable, and ends with a code. steps: 1, 2 chats · 3 check
import { readFileSync } from "node:fs";
import { tool } from "@reenact/node";
import OpenAI from "openai";

const client = new OpenAI();
const config = JSON.parse(readFileSync("config.json", "utf8"));
const check = tool("check", async ({ strict }) => ({ problems: strict ? 2 : 0 }));
const ask = async (content) => {
  const { choices } = await client.chat.completions.create({
    model: process.env.DESK_MODEL ?? "gpt-4.1-mini",
    temperature: config.temperature,
    messages: [
      { role: "system", content: config.system },
      { role: "user", content },
    ],
  });
  return choices[0].message.content;
};

console.error("starting");
const first = await ask(config.question);
console.log("asked", first.length > 0);
console.warn("one question left");
const second = await ask(`Again: ${config.question}`);
console.log("asked again", second.length > 0);
const { problems } = await check({ strict: config.strict });
console.error(`${problems} problems`);
process.on("exit", (code) => console.log(`ends with ${code}`));
if (problems > 0) process.exitCode = 3;
