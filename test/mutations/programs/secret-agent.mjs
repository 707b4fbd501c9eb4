// An agent() that is given redacted values and returns some, and sends one as a header. steps: 1 chat
import { agent } from "@reenact/node";

const base = process.env.OPENAI_BASE_URL;

const transfer = agent("transfer", async ({ pin, owner }, card) => {
  const response = await fetch(`${base}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-card": card, "x-on-behalf-of": owner },
    body: JSON.stringify({ model: "gpt-4.1-mini", messages: [{ role: "user", content: "transfer" }] }),
  });
  await response.text();
  return { pin, codes: [{ password: 20394857 }, { password: 57483920 }], card };
});

const first = await transfer({ pin: 15263748, owner: "ida.keller@example.com" }, "4012 8888 8888 1881");
console.log(typeof first.pin);
