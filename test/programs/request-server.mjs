// A server that wraps nothing: each request asks a model. It writes its address into the file that the first argument names.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { sayAddress } from "./serve.mjs";

const [, , address, style = ""] = process.argv;

async function ask(messages, more = {}) {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages, ...more }),
  });
  return response;
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, "http://localhost");
  if (pathname === "/stop") return void response.end("", () => process.exit(0));
  if (pathname === "/health") return void response.end("up");
  const { message } = JSON.parse(await text(request));
  const answered = await ask([{ role: "user", content: `${message}${style === "asks-more" ? " please" : ""}` }]);
  const { content } = (await answered.json()).choices[0].message;
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ id: crypto.randomUUID(), answer: style === "loud" ? content.toUpperCase() : content }));
});
const { REQUEST_PORT = "0", REQUEST_HOST = "127.0.0.1" } = process.env;
server.listen(Number(REQUEST_PORT), REQUEST_HOST, () => sayAddress(server, address));
