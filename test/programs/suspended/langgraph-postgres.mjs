// A ReAct agent of LangGraph that asks a person before its tools run, with its checkpoints in PostgreSQL: another process answers and goes on.
// node langgraph-postgres.mjs ask | node langgraph-postgres.mjs approve|reject
import { ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, interrupt } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { refund } from "./refund.mjs";

const [, , mode] = process.argv;
const { PGUSER, PGPASSWORD, PGHOST, PGPORT, PGDATABASE } = process.env;
const schema = {
  type: "object",
  properties: { order: { type: "string" }, cents: { type: "number" } },
  required: ["order", "cents"],
};
/** Between the model and its tools. */
function askPerson({ messages }) {
  const { tool_calls: calls = [] } = messages.at(-1);
  if (calls.length === 0) return {};
  const answer = interrupt({ question: "pay?", ...calls[0].args });
  if (answer === "approve") return {};
  return { messages: calls.map(({ id, name }) => new ToolMessage({ tool_call_id: id, name, content: "too much" })) };
}
const checkpointer = PostgresSaver.fromConnString(
  `postgresql://${PGUSER}:${PGPASSWORD}@${PGHOST}:${PGPORT}/${PGDATABASE}`,
);
const agent = createReactAgent({
  llm: new ChatOpenAI({ model: "m", apiKey: "no-key", configuration: { baseURL: process.env.OPENAI_BASE_URL } }),
  tools: [tool(refund, { name: "refund", description: "pays", schema })],
  postModelHook: askPerson,
  checkpointer,
});

const config = { configurable: { thread_id: "order A-77" } };
if (mode === "ask") {
  await checkpointer.setup();
  const { __interrupt__: asked } = await agent.invoke({ messages: "refund A-77" }, config);
  console.log(`waits: ${JSON.stringify(asked[0].value)}`);
} else {
  const { messages } = await agent.invoke(new Command({ resume: mode }), config);
  console.log(messages.at(-1).content);
}
await checkpointer.end();
