// An MCP server over streamable HTTP: a tool that waits, one that asks the client's model, one that ends the process.
// Prints its port.
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

const text = (value) => ({ content: [{ type: "text", text: String(value) }] });

function serverOf() {
  const server = new McpServer({ name: "web", version: "1.0.0" }, { capabilities: { logging: {} } });
  server.registerTool("wait", { inputSchema: { ms: z.number() } }, async ({ ms }) => {
    await sleep(ms);
    return text(`waited until ${process.hrtime.bigint()}`);
  });
  server.registerTool("think", {}, async () => {
    const answer = await server.server.createMessage({
      messages: [{ role: "user", content: { type: "text", text: `think of ${process.hrtime.bigint()}` } }],
      maxTokens: 10,
    });
    return text(`thought: ${answer.content.text}`);
  });
  server.registerTool("end", {}, () => process.exit(0));
  return server;
}

const sessions = new Map();
const http = createServer(async (request, response) => {
  const id = request.headers["mcp-session-id"];
  let transport = sessions.get(id);
  if (transport === undefined) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    await serverOf().connect(transport);
  }
  await transport.handleRequest(request, response);
});
http.listen(0, "127.0.0.1", () => console.log(http.address().port));
