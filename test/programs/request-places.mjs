// Servers in places of their own. The first argument names the place; the last one the file for the address of a second server, which
// says where the first one is, and ends the program at `/stop`.
import { AsyncResource } from "node:async_hooks";
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import http from "node:http";
import https from "node:https";
import { text } from "node:stream/consumers";
import { sayAddress } from "./serve.mjs";

const [, , place = "", variant = ""] = process.argv;
const address = process.argv.at(-1);
const changed = variant === "changed" ? " (changed)" : "";

async function answered(content) {
  const body = JSON.stringify({ model: "scn-ok", messages: [{ role: "user", content }] });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${process.env.PROVIDER_URL}/v1/chat/completions`, { method: "POST", headers, body });
  return (await response.json()).choices[0].message.content;
}

/** The model is asked before the server listens. */
const system = place === "warmed" ? await answered("who are you?") : "";
/** At its start and later, beside its requests, this server asks others, and does without their answers. */
if (place === "reaching") await fetch(`${process.env.PROVIDER_URL}/settings`).catch(() => {});
const reachLater = () => place === "reaching" && fetch("https://127.0.0.1:65535/").catch(() => {});
const seen = [];
/** Work that no request's context reaches. */
const events = new EventEmitter();
const later = AsyncResource.bind(() => answered("later, outside of every request"));
events.on("later", later);
const handle = async (request, response) => {
  seen.push(await text(request));
  if (seen.at(-1) === "later") setTimeout(() => events.emit("later"), 1500);
  response.end((await answered(`${system} ${seen.join(" / ")}`.trim())) + changed);
};
const path = `${address}.sock`;
const server =
  place === "secure"
    ? https.createServer({ key: readFileSync(process.env.TLS_KEY), cert: readFileSync(process.env.TLS_CERT) }, handle)
    : http.createServer(handle);
await new Promise((resolve) =>
  place === "unix" ? server.listen(path, resolve) : server.listen(0, "127.0.0.1", resolve),
);

const control = http.createServer((request, response) => {
  if (request.url === "/stop") return void response.end("", () => process.exit(0));
  response.end(JSON.stringify(place === "unix" ? { socketPath: path } : { port: server.address().port }));
});
control.listen(0, "127.0.0.1", () => {
  sayAddress(control, address);
  reachLater();
});
