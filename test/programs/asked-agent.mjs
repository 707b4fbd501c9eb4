// A web server that answers each request by an agent. The first argument is the file for its address; with `handler` as
// the second the handler itself is the agent, and reads the question from the body; with `stream` the agent returns a
// response whose body goes on after it.
import { renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { agent } from "@reenact/node";

const complete = async (question) => {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: question }] }),
  });
  return response.json();
};

const answer = agent("answer", async (question) => {
  const { choices } = await complete(question);
  return choices[0].message.content;
});

const [, , file, mode] = process.argv;

const handle = agent("handle", async (request, response) => {
  const asked = performance.now();
  let question = "";
  for await (const part of request) question += part;
  await sleep(1);
  const { choices } = await complete(question);
  response.end(`${choices[0].message.content} ${performance.now() - asked}`);
});

const stream = agent("stream", async (question) => {
  const parts = new ReadableStream({
    async start(controller) {
      for (const each of [question, `${question} again`]) {
        await sleep(5);
        controller.enqueue(Buffer.from((await complete(each)).choices[0].message.content));
      }
      controller.close();
    },
  });
  return new Response(parts);
});

const server = createServer(async (request, response) => {
  const question = decodeURIComponent(request.url.slice(1));
  if (question === "stop") process.exit(0);
  if (mode === "handler") return handle(request, response);
  if (mode === "stream") {
    for await (const part of (await stream(question)).body) response.write(part);
    return response.end();
  }
  response.end(await answer(question));
});
server.listen(0, "127.0.0.1", () => {
  writeFileSync(`${file}.part`, `http://127.0.0.1:${server.address().port}`);
  renameSync(`${file}.part`, file);
});
