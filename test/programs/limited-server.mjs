// A server whose agents share a limit on the calls of the model: a call waits for what another run's call releases.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { agent } from "@reenact/node";
import { serve } from "./serve.mjs";

const [, , address, edit = ""] = process.argv;
const LIMIT = 2;
const waiting = [];
let running = 0;

/** Runs so many functions at once, and the others in the order in which they came. */
async function limited(fn) {
  if (running < LIMIT) running++;
  else await new Promise((resolve) => waiting.push(resolve));
  try {
    return await fn();
  } finally {
    const next = waiting.shift();
    if (next === undefined) running--;
    else next();
  }
}

async function ask(content) {
  const started = Date.now();
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-request": randomUUID() },
    body: JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content }], user: `at ${started}` }),
  });
  const { choices } = await response.json();
  return `${choices[0].message.content} ${Date.now() - started}`;
}

const questions = agent("questions", async (who) => {
  const first = await limited(async () => {
    if (who === "slow") await sleep(3000);
    return ask(`${who} asks first`);
  });
  const others = await Promise.all([1, 2, 3].map((n) => limited(() => ask(`${who} asks ${edit}${n}`))));
  return [first, ...others, await limited(() => ask(`${others.join()} and last`))];
});

serve(address, questions);
