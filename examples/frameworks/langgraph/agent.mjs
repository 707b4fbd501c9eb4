import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { tool } from "@langchain/core/tools";
import { z } from "zod";

const cancelled = [];

/** Recorded as a tool: a replay serves its result and does not run it again. */
const cancelOrder = tool(
  async ({ number }) => {
    cancelled.push(number);
    return `${number} is cancelled`;
  },
  { name: "cancel_order", description: "Cancels an order", schema: z.object({ number: z.string() }) },
);

const agent = createReactAgent({
  llm: new ChatOpenAI({ model: process.env.MODEL ?? "gpt-4.1-mini" }),
  tools: [cancelOrder],
});

const { messages } = await agent.invoke({
  messages: [{ role: "user", content: "Dana asks to cancel A-1002." }],
});
console.log(messages.at(-1).content);
