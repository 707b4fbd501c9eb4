// A server whose handler asks a model twice. The first argument names an edit of it, the last one the file for its address.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { sayAddress } from "./serve.mjs";
const [, , how, address] = process.argv;

async function ask(content) {
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "scn-ok", messages: [{ role: "user", content }] }),
  });
  return (await response.json()).choices[0].message.content;
}

const server = createServer(async (request, response) => {
  if (request.url === "/stop") return void response.end("", () => process.exit(0));
  const message = await text(request);
  if (how === "throws-early") throw new Error("early");
  if (how === "extra-before") await ask("more");
  const first = await ask(message);
  if (how === "no-second") return void response.end(first);
  const second = await ask(first);
  if (how === "status") response.statusCode = 201;
  if (how === "header") response.setHeader("x-new", "1");
  response.setHeader("x-old", how === "header-value" ? "2" : "1");
  if (how === "extra-after") void ask("after");
  if (how === "late-timer") setTimeout(() => void ask("late"), 3000);
  if (how === "never-answers") return;
  if (how === "exits") process.exit(3);
  response.end(how === "truncated" ? second.slice(0, -1) : second);
});
server.listen(0, "127.0.0.1", () => sayAddress(server, address));
