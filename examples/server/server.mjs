// A web server that answers questions with a model. Each call of `answer` is a run of its own.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { agent, identify, tool } from "@reenact/node";
import OpenAI from "openai";

const client = new OpenAI();
const model = process.env.MODEL ?? "gpt-4.1-mini";
const stock = { lamp: 3, desk: 0 };

const inStock = tool("in_stock", async ({ item }) => ({ item, left: stock[item] ?? 0 }));
const offered = [
  {
    type: "function",
    function: {
      name: "in_stock",
      description: "How many pieces of an item are left",
      parameters: { type: "object", properties: { item: { type: "string" } }, required: ["item"] },
    },
  },
];

const answer = agent("answer", async ({ customer, question }) => {
  identify({ user: customer });
  const messages = [{ role: "user", content: question }];
  for (let turn = 0; turn < 5; turn += 1) {
    const completion = await client.chat.completions.create({ model, messages, tools: offered });
    const { message } = completion.choices[0];
    if (!message.tool_calls?.length) return message.content;
    messages.push(message);
    for (const call of message.tool_calls) {
      const result = await inStock(JSON.parse(call.function.arguments));
      messages.push({ role: "tool", tool_call_id: call.id, content: JSON.stringify(result) });
    }
  }
  throw new Error("no answer after five turns");
});

const server = createServer(async (request, response) => {
  try {
    response.end(await answer(JSON.parse(await text(request))));
  } catch (error) {
    response.writeHead(500).end(error.message);
  }
});
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
process.once("SIGTERM", () => server.close());
