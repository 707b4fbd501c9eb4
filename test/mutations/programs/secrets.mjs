// Handles e-mail addresses, cards and tokens, which a record does not hold in clear. steps: 1 chat · 2 mail · 3 chat · 4 pay
import { sensitive, tool } from "@reenact/node";

async function ask(content) {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4.1-mini", messages: [{ role: "user", content }] }),
  });
  return (await response.json()).choices[0].message.content;
}
const mail = tool("mail", async ({ to, copy }) => `sent to ${to} and ${copy}`);
const pay = tool("pay", async ({ card, by }) => `${card.length} ${by.length}`);

const customer = "ida.keller@example.com";
const clerk = "max.frei@example.org";
sensitive("swordfish-77");
await ask(`Write to ${customer} about card 4012888888881881.`);
await mail({ to: customer, copy: clerk });
await ask("The word is swordfish-77.");
console.log(await pay({ card: "4012888888881881", by: customer }));
