// A chat server that requires a token and keeps each conversation in memory. It writes its address into the file that the first
// argument names.
import { renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { agent, identify, tool } from "@reenact/node";

const said = new Map();
const count = tool("count", async (words) => words.split(" ").length);

const chat = agent("chat", async ({ session, message }) => {
  identify({ session });
  const messages = said.get(session) ?? [];
  said.set(session, messages);
  messages.push({ role: "user", content: `${message} (${await count(message)} words)` });
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages }),
  });
  const answer = (await response.json()).choices[0].message;
  messages.push(answer);
  if (process.argv[3] === "loud") return answer.content.toUpperCase();
  return answer.content;
});

const server = createServer(async (request, response) => {
  if (request.url === "/stop") process.exit(0);
  if (request.headers.authorization !== "Bearer let-me-in-0123456789") return response.writeHead(401).end();
  response.end(await chat(JSON.parse(await text(request))));
});
server.listen(0, "127.0.0.1", () => {
  writeFileSync(`${process.argv[2]}.part`, `http://127.0.0.1:${server.address().port}`);
  renameSync(`${process.argv[2]}.part`, process.argv[2]);
});
