import { agent, flag, identify, tool } from "@reenact/node";
import OpenAI from "openai";

interface Order {
  readonly number: string;
  readonly open: boolean;
}

const orders: readonly Order[] = [{ number: "A-1002", open: true }];

/** Keeps the type of the function that it wraps. */
const cancelOrder = tool("cancel_order", async ({ number }: { number: string }): Promise<string> => {
  const order = orders.find((each) => each.number === number);
  return order?.open === true ? `${number} is cancelled` : `${number} is not open`;
});

const client = new OpenAI();

const answer = agent("answer", async (customer: string, question: string): Promise<string> => {
  identify({ user: customer, tags: ["refunds"] });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: question }];
  const tools: OpenAI.ChatCompletionTool[] = [
    {
      type: "function",
      function: {
        name: "cancel_order",
        parameters: { type: "object", properties: { number: { type: "string" } }, required: ["number"] },
      },
    },
  ];
  for (let turn = 0; turn < 5; turn += 1) {
    const completion = await client.chat.completions.create({
      model: process.env["MODEL"] ?? "gpt-4.1-mini",
      messages,
      tools,
    });
    const message = completion.choices[0]?.message;
    if (message === undefined) break;
    if (message.tool_calls === undefined || message.tool_calls.length === 0) return message.content ?? "";
    messages.push(message);
    for (const call of message.tool_calls) {
      if (call.type !== "function") continue;
      const content = await cancelOrder(JSON.parse(call.function.arguments) as { number: string });
      messages.push({ role: "tool", tool_call_id: call.id, content });
    }
  }
  flag("no answer after five turns");
  return "A colleague will look at it.";
});

console.log(await answer("c-17", "Dana asks to cancel A-1002."));
