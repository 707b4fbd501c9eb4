// A server, and a job of a schedule, whose process is killed while all of them are under way. It wraps nothing but a tool, and writes
// its address into the file that the first argument names. The second one changes what it asks.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "@reenact/node";
import { Cron } from "croner";
import { sayAddress } from "./serve.mjs";

const [, , address, edit = ""] = process.argv;
const look = tool("look", async (what) => {
  await sleep(5);
  return `${what}: nothing new`;
});
const dies = tool("dies", () => process.kill(process.pid, "SIGKILL"));

/** What it asks has values that only the record can give again. */
async function ask(content) {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      model: "scn-ok",
      messages: [{ role: "user", content: `${content}${edit} at ${new Date().toISOString()} ${crypto.randomUUID()}` }],
    }),
  });
  return (await response.json()).choices[0].message.content;
}

/** A call that is answered, a tool, and a call that never is. */
async function work(name) {
  await ask(`${name} begins`);
  return ask(`${await look(name)} [[sleep=60000]]`);
}

const handlers = {
  first: async (request) => ask(`${await text(request)} [[sleep=60000]]`),
  later: async (request) => work(JSON.parse(await text(request)).question),
  unread: (request) => work(request.headers["x-question"]),
  upload: async (request) => {
    for await (const chunk of request) await ask(`part of ${chunk.length} [[sleep=60000]]`);
  },
  tool: () => dies(),
};

const server = createServer(async (request, response) => {
  if (request.url === "/health") return void response.end("up");
  response.end(String(await handlers[request.url.slice(1)](request)));
});
server.listen(0, "127.0.0.1", () => sayAddress(server, address));
new Cron("* * * * * *", { maxRuns: 1 }).schedule(() => work("the schedule"));
