// A web server that answers each request by an agent. The first argument is the file for its address.
import { renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { agent } from "@reenact/node";

const answer = agent("answer", async (question) => {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: question }] }),
  });
  const { choices } = await response.json();
  return choices[0].message.content;
});

const server = createServer(async (request, response) => {
  const question = decodeURIComponent(request.url.slice(1));
  if (question === "stop") process.exit(0);
  response.end(await answer(question));
});
server.listen(0, "127.0.0.1", () => {
  const [, , file] = process.argv;
  writeFileSync(`${file}.part`, `http://127.0.0.1:${server.address().port}`);
  renameSync(`${file}.part`, file);
});
