// Asks a model over HTTP/2 while another one is asked over `fetch`, and waits: `node live-http2.mjs [changed|again]`.
import http2 from "node:http2";

const [, , act = ""] = process.argv;
const { PROVIDER_URL, HTTP2_URL, OPENAI_API_KEY: key = "" } = process.env;
const path = "/v1/chat/completions";
const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
const asked = (content) => JSON.stringify({ model: "gpt-5", messages: [{ role: "user", content }] });
const session = http2.connect(HTTP2_URL).on("error", () => {});
let timeOuts = 0;

const overHttp2 = (text) =>
  new Promise((resolve) => {
    const stream = session.request({ ":method": "POST", ":path": path, ...headers });
    stream.setTimeout(300, () => timeOuts++);
    stream.resume().on("end", () => resolve("answered"));
    stream.on("error", (error) => resolve(error.message));
    stream.end(asked(text));
  });
const overFetch = (text) => fetch(`${PROVIDER_URL}${path}`, { method: "POST", headers, body: asked(text) });

const [said] = await Promise.all([overHttp2("one"), overFetch(act === "changed" ? "else" : "two")]);
const again = act === "again" ? await overHttp2("three") : "";
await new Promise((resolve) => setTimeout(resolve, 600));
session.close();
console.log(JSON.stringify([said, again, timeOuts]));
