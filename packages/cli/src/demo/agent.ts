// The program of `reenact demo`: a refund desk that cancels the wrong order. `node agent.js <url of the model>`.
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "@reenact/node";

interface Call {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}
interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly Call[];
  readonly tool_call_id?: string;
}
interface Arguments {
  readonly number: string;
  readonly row?: number;
}

const [url = ""] = process.argv.slice(2);
const orders = new Map([
  [41, { number: "A-1001", item: "brass lamp", dollars: 49, state: "delivered" }],
  [42, { number: "A-1002", item: "brass lamp", dollars: 49, state: "packing" }],
]);

const orderOf = (wanted: string) => [...orders].find(([, { number }]) => number === wanted);

const tools: Readonly<Record<string, (given: Arguments) => Promise<unknown>>> = {
  get_order: tool("get_order", async ({ number }: Arguments) => {
    const [row, order] = orderOf(number) ?? [];
    return order === undefined ? `there is no order ${number}` : { row, ...order };
  }),
  check_carrier: tool("check_carrier", async ({ number }: Arguments) => {
    await sleep(40);
    throw new Error(`the carrier did not answer for ${number}`);
  }),
  delete_order: tool("delete_order", async ({ row = 0, number }: Arguments) => {
    orders.delete(row);
    return `deleted row ${row} as ${number}`;
  }),
};

const messages: Message[] = [
  { role: "system", content: "You are the refund desk of a small shop. Keep the first order, cancel the duplicate." },
  { role: "user", content: "I was charged twice for the same lamp. Please cancel A-1002 and refund me." },
];

async function answer(): Promise<Message> {
  const offered = Object.keys(tools).map((name) => ({
    type: "function",
    function: { name, parameters: { type: "object", properties: { number: { type: "string" } } } },
  }));
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "demo-model", messages, tools: offered }),
  });
  const { choices } = (await response.json()) as { choices: readonly [{ message: Message }] };
  return choices[0].message;
}

async function resultOf({ function: { name, arguments: text } }: Call): Promise<string> {
  try {
    return JSON.stringify(await tools[name]!(JSON.parse(text) as Arguments));
  } catch (error) {
    return String(error);
  }
}

for (let turn = 0; turn < 10; turn++) {
  const message = await answer();
  messages.push(message);
  if (message.content !== null) process.stdout.write(`${message.content}\n`);
  if (message.tool_calls === undefined) break;
  const results = await Promise.all(message.tool_calls.map(resultOf));
  for (const [at, { id }] of message.tool_calls.entries())
    messages.push({ role: "tool", tool_call_id: id, content: results[at]! });
}
// asked by a tool, whose result is in the record: a replay deletes nothing
const kept = await tools["get_order"]!({ number: "A-1001" });
if (typeof kept === "string") throw new Error(`the order that the customer keeps is gone: ${kept}`);
