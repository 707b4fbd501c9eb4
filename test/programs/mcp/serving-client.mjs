// A server with an MCP client that it connects before its first agent: over standard streams, with a list of its tools.
import { agent } from "@reenact/node";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { serve } from "../serve.mjs";

const [, , address, stdio, edit = ""] = process.argv;
const client = new Client({ name: "serving", version: "1.0.0" }, { capabilities: {} });
await client.connect(new StdioClientTransport({ command: process.execPath, args: [stdio], env: { ...process.env } }));
const { tools } = await client.listTools();

const answer = agent("answer", async (a) => {
  const args = { a, b: edit === "argument" ? 3 : 2 };
  const { content } = await client.callTool({ name: "add", arguments: args });
  return `${tools.map(({ name }) => name).join()} ${content[0].text} ${process.hrtime.bigint()}`;
});

serve(address, (number) => answer(Number(number)));
