// MCP clients of an agent: over HTTP two at a time, sampling answered by the agent's model, an abort, a time-out, a lost server.
import { tool } from "@reenact/node";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { CreateMessageRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { call } from "../turns/model.mjs";

const [, , edit = ""] = process.argv;
const note = tool("note", async (text) => `noted ${text.length}`);

async function connected(name) {
  const client = new Client({ name, version: "1.0.0" }, { capabilities: { sampling: {} } });
  client.setRequestHandler(CreateMessageRequestSchema, async ({ params }) => {
    const answer = await call(`${name} is asked to ${params.messages[0].content.text}`);
    return { model: "none", role: "assistant", content: { type: "text", text: answer } };
  });
  await client.connect(new StreamableHTTPClientTransport(new URL(process.env.MCP_URL)));
  return client;
}
const said = ({ content }) => content[0].text;
const failed = (error) => `${error.constructor.name}: ${error.message}`;

const [one, two] = await Promise.all([connected("one"), connected("two")]);
const waits = edit === "argument" ? [40, 11] : [40, 10];
const results = await Promise.all([
  one.callTool({ name: "wait", arguments: { ms: waits[0] } }),
  two.callTool({ name: "wait", arguments: { ms: waits[1] } }),
]);
console.log(results.map(said).join(" | "));
if (edit !== "less") console.log(said(await one.callTool({ name: "think" })));
if (edit === "more") console.log(said(await two.callTool({ name: "think" })));
const stop = new AbortController();
const aborted = two.callTool({ name: "wait", arguments: { ms: 5_000 } }, undefined, { signal: stop.signal });
setTimeout(() => stop.abort("enough"), 30);
console.log(await aborted.then(said, failed));
console.log(
  await one.callTool({ name: "wait", arguments: { ms: 5_000 } }, undefined, { timeout: 40 }).then(said, failed),
);
console.log(await one.callTool({ name: "none", arguments: {} }).then(said, failed));
console.log(await note(await call("sum up")));
await one.close();
console.log(await one.callTool({ name: "wait", arguments: { ms: 1 } }).then(said, failed));
if (edit === "args") console.log(await two.listTools());
console.log(await two.callTool({ name: "end" }, undefined, { timeout: 2_000 }).then(said, failed));
process.exit(0);
