// A server whose handler is an agent, asked by the program itself. Three requests, each a run of the agent.
import { createServer } from "node:http";
import { text as textOf } from "node:stream/consumers";
import { agent, tool } from "@reenact/node";

const price = tool("price", async ({ item }) => item.length * 10);
const quote = agent("quote", async (item) => {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4.1-mini", messages: [{ role: "user", content: `Offer ${item}` }] }),
  });
  const { choices } = await response.json();
  return { item, price: await price({ item }), text: choices[0].message.content.slice(0, 20) };
});

async function ask(content) {
  const response = await fetch(`${process.env.OPENAI_BASE_URL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4.1-nano", messages: [{ role: "user", content }] }),
  });
  return (await response.json()).choices[0].message.content.length > 0;
}

console.log(await ask("Are we open?"));
const server = createServer(async (request, response) => {
  const item = await textOf(request);
  const offer = await quote(item);
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(offer));
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const url = `http://127.0.0.1:${server.address().port}`;
for (const item of ["lamp", "rug"]) {
  const offer = await (await fetch(url, { method: "POST", body: item })).json();
  console.log(offer.item, offer.price);
}
server.closeAllConnections();
await new Promise((resolve) => server.close(resolve));
console.log(await ask("Are we closed?"));
