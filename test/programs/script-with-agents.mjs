// A script with a run of its own that calls agents: what is outside of them is in the script's run.
import { agent } from "@reenact/node";

async function chat(content) {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content }] }),
  });
  return (await response.json()).choices[0].message.content;
}

const ask = agent("ask", chat);
console.log(await chat("before"));
console.log(await ask("one"));
console.log(await Promise.all([ask("two"), chat("between"), ask("three")]));
console.log(await chat("after"), Math.random() < 1, process.hrtime.bigint() > 0n);
