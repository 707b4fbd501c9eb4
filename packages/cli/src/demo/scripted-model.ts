import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";

type Turn = { readonly text: string; readonly calls?: readonly (readonly [name: string, args: object])[] };

/** What the model says. It reads the rows right, and then names the wrong one. */
const TURNS: readonly Turn[] = [
  {
    text: "I look at both orders first.",
    calls: [
      ["get_order", { number: "A-1001" }],
      ["get_order", { number: "A-1002" }],
    ],
  },
  { text: "Has the second parcel left?", calls: [["check_carrier", { number: "A-1002" }]] },
  {
    text: "The carrier is silent, but A-1002 is still being packed. I cancel it.",
    calls: [["delete_order", { row: 41, number: "A-1002" }]],
  },
  { text: "A-1002 is cancelled, and $49.00 is on its way back to you." },
];

/** A model on loopback that says the same each time. */
export async function startScriptedModel(): Promise<{ readonly url: string; readonly close: () => void }> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answerTo(Buffer.concat(parts).toString())));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://127.0.0.1:${port}`, close };
}

function answerTo(body: string): object {
  const { model, messages } = JSON.parse(body) as { model: string; messages: readonly { role: string }[] };
  const turn = messages.filter(({ role }) => role === "assistant").length;
  const { text, calls = [] } = TURNS[Math.min(turn, TURNS.length - 1)]!;
  const tool_calls = calls.map(([name, args], at) => ({
    id: `call_${turn}_${at}`,
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  const message = { role: "assistant", content: text, ...(calls.length > 0 && { tool_calls }) };
  const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
  return {
    id: `chatcmpl-demo-${turn}`,
    object: "chat.completion",
    created: 0,
    model,
    choices: [{ index: 0, message, finish_reason }],
    usage: tokens(body.length, JSON.stringify(message).length),
  };
}

/** By the usual rule of thumb, four characters each. */
function tokens(read: number, written: number): object {
  const [prompt_tokens, completion_tokens] = [Math.ceil(read / 4), Math.ceil(written / 4)];
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
}
