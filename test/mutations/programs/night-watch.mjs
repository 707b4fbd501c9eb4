// Watches by timers: polls, gives up by a signal, waits with jitter, and writes to both outputs.
// steps: 1, 2, 3 GET /beat by an interval · 4 GET /slow given up · 5 chat · 6 tool page · 7 chat
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "@reenact/node";
import OpenAI from "openai";

const client = new OpenAI({ maxRetries: 0 });
const page = tool("page", async ({ who, level }) => `${who}:${level}`);
const beats = [];
await new Promise((done) => {
  const timer = setInterval(async () => {
    if (beats.length === 3) return;
    const count = beats.push(null);
    const { path } = await (await fetch(`${process.env.API_URL}/beat/${count}`)).json();
    beats[count - 1] = path;
    if (beats.length === 3 && !beats.includes(null)) {
      clearInterval(timer);
      done();
    }
  }, 30);
});
console.error(`beats: ${beats.length}`);

const stop = new AbortController();
const asked = client.chat.completions
  .create(
    { model: "gpt-4.1-nano", messages: [{ role: "user", content: "[slow] Are you there?" }] },
    { signal: stop.signal },
  )
  .then(
    () => "answered",
    (error) => error.constructor.name,
  );
await sleep(25);
stop.abort();
const outcome = await asked;
console.log(outcome);

await sleep(5 + Math.floor(Math.random() * 10));
const { choices } = await client.chat.completions.create({
  model: "gpt-4.1-mini",
  messages: [{ role: "user", content: `It was ${outcome}. Beats: ${beats.join()}` }],
});
console.log(await page({ who: "night", level: choices[0].message.content.length > 5 ? 2 : 1 }));
const last = await Promise.race([
  client.chat.completions
    .create({ model: "gpt-4.1", messages: [{ role: "user", content: "All well?" }] })
    .then(({ choices }) => choices.length),
  sleep(5_000, "late", { ref: false }),
]);
process.on("exit", (code) => console.error(`ends with ${code}`));
process.exitCode = last === 1 ? 4 : 5;
