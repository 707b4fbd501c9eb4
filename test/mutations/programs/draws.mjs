// Uses the clock, random numbers and ids of its own. steps: 1 chat · 2 book · 3 chat · 4 chat
import { randomBytes, randomInt, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "@reenact/node";

async function ask(content) {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4.1-mini", messages: [{ role: "user", content }] }),
  });
  return (await response.json()).choices[0].message.content;
}
const book = tool("book", async ({ id, day, seat }) => `${id} ${day} ${seat}`);

const id = randomUUID();
const day = new Date().toISOString().slice(0, 10);
await ask(`A seat for ${id} on ${day}`);
const seat = Math.floor(Math.random() * 40);
console.log(await book({ id, day, seat }));
await sleep(15);
const started = performance.now();
await ask(`Seat ${seat}?`);
const took = performance.now() - started;
console.log(took > 0, randomInt(100), randomBytes(4).toString("hex"));
setTimeout(() => console.log("later"), 25);
await ask(`Done at ${Date.now()}`);
