// Asks a person twice between model calls. steps: 1 chat · 2 input · 3 chat · 4 input · 5 pay
import { input, tool } from "@reenact/node";

const pay = tool("pay", async ({ amount, by }) => `paid ${amount} by ${by}`);

async function ask(content) {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4.1-mini", messages: [{ role: "user", content }] }),
  });
  return (await response.json()).choices[0].message.content;
}

await ask("What is due?");
const approved = await input("approve", "Pay 40?");
const text = await ask(`The person said ${approved}.`);
const by = await input("method", `How? (${text.length > 0})`);
if (approved === "yes") console.log(await pay({ amount: 40, by }));
else console.log("nothing paid");
