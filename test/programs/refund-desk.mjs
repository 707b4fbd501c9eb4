// A desk that asks a model twice and makes a refund between. Run as a program, or imported for its agent.
import { agent, tool } from "@reenact/node";

const LIMIT = Infinity;

const refund = tool("refund", async ({ order, amount }) => {
  if (amount > LIMIT) throw new RangeError(`${amount} is above the limit`);
  return `refunded ${amount} for ${order}`;
});

async function chat(content) {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content }] }),
  });
  return (await response.json()).choices[0].message.content;
}

export const desk = agent("desk", async (question) => {
  const answer = await chat(question);
  const amount = 90;
  const done = await refund({ order: "A-17", amount }).catch((error) => error.message);
  const last = await chat(`${answer.length > 0 ? "Done" : "Nothing"}: ${done}`);
  if (done === "refunded 90 for A-17" && process.env.STRICT) throw new Error("the customer paid 9, not 90");
  return last;
});

if (process.argv[1] === import.meta.filename) console.log(await desk("Please refund A-17."));
