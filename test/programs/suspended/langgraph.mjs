// A graph of LangGraph that interrupts before a refund. Its checkpoints are a file: another process answers and goes on.
// node langgraph.mjs <state file> [approve|reject] [cents that are paid in place of what was approved]
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { ToolMessage } from "@langchain/core/messages";
import { tool } from "@langchain/core/tools";
import { Command, END, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { refund } from "./refund.mjs";

const [, , file, decision = "approve", cents] = process.argv;
const schema = {
  type: "object",
  properties: { order: { type: "string" }, cents: { type: "number" } },
  required: ["order", "cents"],
};
const tools = [tool(refund, { name: "refund", description: "pays", schema })];
const model = new ChatOpenAI({ model: "m", apiKey: "no-key", configuration: { baseURL: process.env.OPENAI_BASE_URL } });

/** Keeps what MemorySaver holds in a file. */
class FileSaver extends MemorySaver {
  load() {
    const bytes = (_, value) =>
      value?.bytes === undefined ? value : new Uint8Array(Buffer.from(value.bytes, "base64"));
    Object.assign(this, JSON.parse(readFileSync(file, "utf8"), bytes));
  }
  save() {
    const text = (_, value) => (value instanceof Uint8Array ? { bytes: Buffer.from(value).toString("base64") } : value);
    writeFileSync(file, JSON.stringify({ storage: this.storage, writes: this.writes }, text));
  }
}
const checkpointer = new FileSaver();
const graph = new StateGraph(MessagesAnnotation)
  .addNode("model", async ({ messages }) => ({ messages: [await model.bindTools(tools).invoke(messages)] }))
  .addNode(
    "person",
    ({ messages }) => {
      const { tool_calls: calls } = messages.at(-1);
      const answer = interrupt({ question: "pay?", calls: calls.map(({ name, args }) => ({ name, args })) });
      const said = calls.map(({ id }) => new ToolMessage({ tool_call_id: id, content: "too much" }));
      return answer === "approve" ? {} : new Command({ goto: "model", update: { messages: said } });
    },
    { ends: ["tools", "model"] },
  )
  .addNode("tools", ({ messages }) => {
    if (cents !== undefined) messages.at(-1).tool_calls[0].args.cents = Number(cents);
    return new ToolNode(tools).invoke({ messages });
  })
  .addEdge(START, "model")
  .addConditionalEdges("model", ({ messages }) => (messages.at(-1).tool_calls.length > 0 ? "person" : END))
  .addConditionalEdges("person", ({ messages }) => (messages.at(-1).tool_calls?.length > 0 ? "tools" : END))
  .addEdge("tools", "model")
  .compile({ checkpointer });

const config = { configurable: { thread_id: "one" } };
if (!existsSync(file)) {
  const { __interrupt__: asked } = await graph.invoke({ messages: "refund A-77" }, config);
  console.log(`waits: ${JSON.stringify(asked[0].value)}`);
} else {
  checkpointer.load();
  const { messages } = await graph.invoke(new Command({ resume: decision }), config);
  console.log(messages.at(-1).content);
}
checkpointer.save();
