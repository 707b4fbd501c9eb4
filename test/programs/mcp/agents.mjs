// The MCP server of an agent of OpenAI Agents, in a process of its own, which the first argument names.
import { MCPServerStdio } from "@openai/agents";
import { agent } from "@reenact/node";

const [, , server] = process.argv;
const work = agent("work", async () => {
  const lab = new MCPServerStdio({
    name: "lab",
    command: process.execPath,
    args: [server],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  await lab.connect();
  console.log((await lab.listTools()).map(({ name }) => name).join());
  const [added] = await lab.callTool("add", { a: 2, b: 3 });
  await lab.close();
  return added.text;
});
console.log(await work());
