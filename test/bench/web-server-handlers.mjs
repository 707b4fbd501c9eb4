// web-server-handlers.mjs <hello|ordinary>: a server that calls no model. `ordinary`: an id, the clock, a timer that is cleared, a body, a promise.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const HANDLERS = {
  hello: (_, response) => response.end("hello"),
  async ordinary(request, response) {
    const [id, at] = [randomUUID(), Date.now()];
    const timer = setTimeout(() => {}, 5000);
    const body = await text(request);
    await new Promise((resolve) => setImmediate(resolve));
    clearTimeout(timer);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ id, at, length: body.length }));
  },
};
const handle = HANDLERS[process.argv[2]];

const server = createServer((request, response) => {
  if (request.url !== "/usage") return void handle(request, response);
  const { user, system } = process.cpuUsage();
  response.end(JSON.stringify({ cpu: user + system, rss: process.memoryUsage.rss() }));
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
