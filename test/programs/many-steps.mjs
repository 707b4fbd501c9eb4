// So many steps, half of them tools: `node many-steps.mjs <steps>`.
import { tool } from "@reenact/node";

const steps = Number(process.argv[2] ?? 5000);
const instant = tool("instant", async (n) => ({ n, squared: n * n }));

async function ask(content) {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "scn-ok", messages: [{ role: "user", content }] }),
  });
  return (await response.json()).choices[0].message.content;
}

let length = 0;
for (let n = 0; n < steps / 2; n++) {
  const { squared } = await instant(n);
  length += (await ask(`question ${squared}`)).length;
}
console.log(length);
