// Retries of its own and of the SDK, time-outs, a race, an abort and errors that are handled.
// steps: 1 a try, 2 its retry · 3 refused · 4, 5 a race · 6 aborted · 7 the SDK's retry · 8 last
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "@reenact/node";
import OpenAI from "openai";

const client = new OpenAI({ maxRetries: 2 });
const base = process.env.OPENAI_BASE_URL;
const alarm = tool("alarm", async ({ text }) => text.length > 0);

async function post(content, signal) {
  const response = await fetch(`${base}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4.1-mini", messages: [{ role: "user", content }] }),
    signal,
  });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return (await response.json()).choices[0].message.content;
}

async function withRetry(content, tries = 3) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await post(content);
    } catch (error) {
      if (attempt === tries) throw error;
      await sleep(10 * attempt);
    }
  }
}

console.log((await withRetry("first [fail once]")).length > 0);
try {
  await post("second [refuse]");
} catch (error) {
  console.log(`refused: ${error.message}`);
}
const slow = post("third [slow]");
const fast = post("fourth");
const first = await Promise.race([slow, fast]);
console.log(first.includes("fourth"));
await slow;
const deadline = AbortSignal.timeout(2000);
console.log((await post("fifth", deadline)).length > 0);
const timer = setTimeout(() => console.log("too late"), 30_000);
const { choices } = await client.chat.completions.create({
  model: "gpt-4.1",
  messages: [{ role: "user", content: "sixth [fail once]" }],
});
clearTimeout(timer);
console.log(choices[0].message.content.length > 0);
console.log(await alarm({ text: "done" }));
