// A plain web server: `node web-server.mjs`. It calls another service, reads a file and asks the clock, and has no agent.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

const back = createServer((request, response) => {
  request.resume();
  request.on("end", () => response.end(JSON.stringify({ back: true })));
});
await new Promise((done) => back.listen(0, "127.0.0.1", done));

let served = 0;
const server = createServer(async (request, response) => {
  if (request.url === "/memory") {
    globalThis.gc?.();
    response.end(String(process.memoryUsage().heapUsed));
    return;
  }
  served++;
  if (served % 10 === 0)
    await (await fetch(`http://127.0.0.1:${back.address().port}/x`, { method: "POST", body: "{}" })).json();
  if (served % 10 === 5) await readFile(import.meta.filename);
  if (served % 10 === 7) await new Promise((done) => setTimeout(done, 1));
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ served, at: Date.now(), chance: Math.random(), id: crypto.randomUUID() }));
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
process.on("SIGTERM", () => process.exit(0));
console.log(server.address().port);
