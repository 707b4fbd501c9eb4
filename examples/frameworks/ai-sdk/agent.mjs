import { createOpenAI } from "@ai-sdk/openai";
import { isStepCount, streamText, tool } from "ai";
import { z } from "zod";

const openai = createOpenAI();
const cancelled = [];

const { textStream } = streamText({
  model: openai.chat(process.env.MODEL ?? "gpt-4.1-mini"),
  prompt: "Dana asks to cancel A-1002.",
  stopWhen: isStepCount(5),
  tools: {
    cancel_order: tool({
      description: "Cancels an order",
      inputSchema: z.object({ number: z.string() }),
      // Recorded as a tool: a replay serves its result and does not run it again.
      execute: async ({ number }) => {
        cancelled.push(number);
        return `${number} is cancelled`;
      },
    }),
  },
});
for await (const text of textStream) process.stdout.write(text);
process.stdout.write("\n");
