import { trace } from "@opentelemetry/api";
import OpenAI from "openai";
import { sdk } from "./tracing.mjs";

const client = new OpenAI();
const tracer = trace.getTracer("refund-desk");

await tracer.startActiveSpan("answer a ticket", async (span) => {
  try {
    const completion = await client.chat.completions.create({
      model: process.env.MODEL ?? "gpt-4.1-mini",
      messages: [{ role: "user", content: "Dana (dana.whitfield@example.com) asks where her lamp is." }],
    });
    console.log(completion.choices[0].message.content);
  } finally {
    span.end();
  }
});
await sdk.shutdown();
