// Sends letters in batches of two, each with a draft of the model and retries of its own.
// steps: 1 GET /list · 2, 3 drafts · 4, 5 mail · 6 draft that fails once, 7 its retry · 8 draft · 9, 10 mail · 11 report
import { tool } from "@reenact/node";
import OpenAI from "openai";

const client = new OpenAI({ maxRetries: 0 });
const mail = tool("mail", async ({ to, text, copy = false }) => ({ to, size: text.length, copy }));
const list = await (await fetch(`${process.env.API_URL}/list?limit=4`)).json();
const names = ["Ada", "Ben", "[fail once] Cleo", "Dan"];

async function retried(times, act) {
  for (let left = times; ; left--) {
    try {
      return await act(times - left);
    } catch (error) {
      if (left === 0 || error.status < 500) throw error;
      await new Promise((done) => setTimeout(done, 15));
    }
  }
}

const draft = (name) =>
  retried(2, async (attempt) => {
    const { choices } = await client.chat.completions.create(
      {
        model: "gpt-4.1-nano",
        temperature: 0.2,
        messages: [{ role: "user", content: `A letter to ${name} about ${list.status}` }],
      },
      { headers: { "x-stainless-retry-count": String(attempt) } },
    );
    return choices[0].message.content;
  });

const sent = [];
for (let at = 0; at < names.length; at += 2) {
  const batch = names.slice(at, at + 2);
  const texts = await Promise.all(batch.map(draft));
  for (const [index, text] of texts.entries()) sent.push(await mail({ to: batch[index], text }));
}
const { path } = await (
  await fetch(`${process.env.API_URL}/reports`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ count: sent.length, of: list.id }),
  })
).json();
console.log(path, sent.length);
