// A program of the AI SDK that stops for an approval. Its messages are a file: another process decides and goes on.
// node ai-sdk.mjs <state file> [approve|reject]; AI_SDK_OF names the folder whose release of the SDK is taken
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { refund } from "./refund.mjs";

const [, , file, decision = "approve"] = process.argv;
const load = createRequire(process.env.AI_SDK_OF ?? import.meta.url);
const { generateText, jsonSchema, isStepCount, stepCountIs } = load("ai");
const openai = load("@ai-sdk/openai").createOpenAI({ baseURL: process.env.OPENAI_BASE_URL, apiKey: "no-key" });
const inputSchema = jsonSchema({
  type: "object",
  properties: { order: { type: "string" }, cents: { type: "number" } },
  required: ["order", "cents"],
});
const desk = {
  model: openai.chat("m"),
  tools: { refund: { inputSchema, needsApproval: true, execute: refund } },
  stopWhen: (isStepCount ?? stepCountIs)(3),
};

const kept = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : null;
const messages = kept ?? [{ role: "user", content: "refund A-77" }];
if (kept !== null) {
  const requests = messages.at(-1).content.filter(({ type }) => type === "tool-approval-request");
  const content = requests.map(({ approvalId }) => ({
    type: "tool-approval-response",
    approvalId,
    approved: decision === "approve",
    ...(decision === "approve" ? {} : { reason: "too much" }),
  }));
  messages.push({ role: "tool", content });
}
const result = await generateText({ ...desk, messages });
if (kept === null) {
  console.log(
    `waits: ${result.toolCalls.map(({ toolName, input }) => `${toolName} ${JSON.stringify(input)}`).join("\n")}`,
  );
  writeFileSync(file, JSON.stringify([...messages, ...result.response.messages]));
} else console.log(result.text);
