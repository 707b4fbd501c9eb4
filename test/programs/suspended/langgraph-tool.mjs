// A graph of LangGraph whose tool asks a person itself. It stops there, and goes on with the answer, in one process.
// node langgraph-tool.mjs [approve|reject]
import { tool } from "@langchain/core/tools";
import { Command, END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { refund } from "./refund.mjs";

const [, , decision = "approve"] = process.argv;
const schema = {
  type: "object",
  properties: { order: { type: "string" }, cents: { type: "number" } },
  required: ["order", "cents"],
};
const asks = async (call) => (interrupt({ question: "pay?", call }) === "approve" ? refund(call) : "not paid");
const tools = [tool(asks, { name: "refund", description: "pays", schema })];
const model = new ChatOpenAI({ model: "m", apiKey: "no-key", configuration: { baseURL: process.env.OPENAI_BASE_URL } });
const graph = new StateGraph(MessagesAnnotation)
  .addNode("model", async ({ messages }) => ({ messages: [await model.bindTools(tools).invoke(messages)] }))
  .addNode("tools", new ToolNode(tools))
  .addEdge(START, "model")
  .addConditionalEdges("model", ({ messages }) => (messages.at(-1).tool_calls.length > 0 ? "tools" : END))
  .addEdge("tools", "model")
  .compile({ checkpointer: new MemorySaver() });

const config = { configurable: { thread_id: "one" } };
const { __interrupt__: asked } = await graph.invoke({ messages: "refund A-77" }, config);
console.log(`waits: ${JSON.stringify(asked[0].value)}`);
const { messages } = await graph.invoke(new Command({ resume: decision }), config);
console.log(messages.at(-1).content);
