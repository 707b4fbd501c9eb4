// Two agent() calls in one script. `node two-agents.mjs [change]` makes one change to what it does.
import { agent } from "@reenact/node";

const change = process.argv[2] ?? "";

async function chat(content) {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content }] }),
  });
  return (await response.json()).choices[0].message.content;
}

const told = (error) => `${error.name}`;
const first = agent("first", (question) => chat(change === "first" ? `${question}!` : question));
const second = agent("second", (question) => chat(change === "second" ? `${question}!` : question));
console.log(await first("one").catch(told));
if (change === "third") console.log(await agent("third", chat)("three").catch(told));
if (change !== "no-second") console.log(await second("two").catch(told));
if (change === "outside") console.log(await chat("four").catch(told));
