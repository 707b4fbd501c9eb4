// A server in whose code nothing says that it calls a model: its address is put together when a request asks for it. With `sdk` it
// loads an SDK, with `http` it asks by node:http.
import { request } from "node:http";
import { json } from "node:stream/consumers";
import { serve } from "./serve.mjs";

const [, , style, address] = process.argv;
if (style === "sdk") await import("openai");

const headers = { "content-type": "application/json" };
const body = JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: "hello" }] });

async function ask() {
  const url = process.env.PROVIDER_URL + ["", "v1", "chat", "completions"].join("/");
  if (style !== "http") return (await fetch(url, { method: "POST", headers, body })).json();
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: "POST", headers }, (answer) => resolve(json(answer)));
    asked.once("error", reject);
    asked.end(body);
  });
}

serve(address, async (path) => (path === "model" ? (await ask()).choices[0].message.content : "up"));
