// An agent of OpenAI Agents that stops for an approval. Its state is a file: another process decides and goes on.
// node openai-agents.mjs <state file> [approve|always|reject]
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, OpenAIProvider, Runner, RunState, tool } from "@openai/agents";
import { refund } from "./refund.mjs";

const [, , file, decision = "approve"] = process.argv;
const modelProvider = new OpenAIProvider({ useResponses: false, apiKey: "no-key" });
const runner = new Runner({ modelProvider, model: "m", tracingDisabled: true });
const parameters = {
  type: "object",
  properties: { order: { type: "string" }, cents: { type: "number" } },
  required: ["order", "cents"],
  additionalProperties: false,
};
const desk = new Agent({
  name: "Desk",
  instructions: "help",
  tools: [tool({ name: "refund", description: "pays", parameters, needsApproval: true, execute: refund })],
});

if (!existsSync(file)) {
  const { interruptions, state } = await runner.run(desk, "refund A-77");
  console.log(`waits: ${interruptions.map(({ name, arguments: args }) => `${name} ${args}`).join("\n")}`);
  writeFileSync(file, state.toString());
} else {
  const state = await RunState.fromString(desk, readFileSync(file, "utf8"));
  for (const item of state.getInterruptions())
    if (decision === "approve") state.approve(item);
    else if (decision === "always") state.approve(item, { alwaysApprove: true });
    else state.reject(item, { message: "too much" });
  const { finalOutput } = await runner.run(desk, state);
  console.log(finalOutput);
}
