// Asks models over a transport whose bodies are known only while they are sent, and deletes something over it: `node live-transports.mjs <transport> [mode]`.
// Transports: request (`fetch` with `Request` objects), stream (`fetch`), undici, axios, got, node-fetch, http, slow and expects (`node:http`).
import http from "node:http";
import { Readable } from "node:stream";

const [, , transport, mode = ""] = process.argv;
const { PROVIDER_URL, TOOL_URL, OPENAI_API_KEY: key = "" } = process.env;
const headers = { "content-type": "application/json", authorization: `Bearer ${key}`, "x-own": "kept" };
const chat = `${PROVIDER_URL}/v1/chat/completions`;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function* slowly(text) {
  for (let at = 0; at < text.length; at += 40) {
    await sleep(5);
    yield Buffer.from(text.slice(at, at + 40));
  }
}

function overHttp(url, method, body, { expects = false, pieces = 1 } = {}) {
  return new Promise((resolve, reject) => {
    const own = {
      ...headers,
      "content-length": Buffer.byteLength(body),
      ...(expects ? { expect: "100-continue" } : {}),
    };
    const request = http.request(url, { method, headers: own }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode, text })).on("error", reject);
    });
    request.on("error", reject);
    const write = () => {
      if (pieces === 1) return request.end(body);
      Readable.from(slowly(body)).pipe(request);
    };
    if (expects) request.once("continue", write).flushHeaders();
    else write();
  });
}

/** Sends a body to a URL and gives the status and text of the answer. */
const SENDS = {
  request: async () => async (url, method, body) => {
    const answer = await fetch(new Request(url, { method, headers, body }));
    return { status: answer.status, text: await answer.text() };
  },
  stream: async () => async (url, method, body) => {
    const answer = await fetch(url, { method, headers, body: Readable.from(slowly(body)), duplex: "half" });
    return { status: answer.status, text: await answer.text() };
  },
  undici: async () => {
    const { request } = await import("undici");
    return async (url, method, body) => {
      const answer = await request(url, { method, headers, body: Readable.from(slowly(body)) });
      return { status: answer.statusCode, text: await answer.body.text() };
    };
  },
  axios: async () => {
    const { default: axios } = await import("axios");
    return async (url, method, data) => {
      const validateStatus = () => true;
      const answer = await axios({ url, method, headers, data, validateStatus, responseType: "text", timeout: 5000 });
      return { status: answer.status, text: answer.data };
    };
  },
  got: async () => {
    const { default: got } = await import("got");
    return async (url, method, body) => {
      const answer = await got(url, { method, headers, body, throwHttpErrors: false, retry: { limit: 1 } });
      return { status: answer.statusCode, text: answer.body };
    };
  },
  "node-fetch": async () => {
    const { default: nodeFetch } = await import("node-fetch");
    return async (url, method, body) => {
      const answer = await nodeFetch(url, { method, headers, body });
      return { status: answer.status, text: await answer.text() };
    };
  },
  http: async () => (url, method, body) => overHttp(url, method, body),
  slow: async () => (url, method, body) => overHttp(url, method, body, { pieces: 2 }),
  expects: async () => (url, method, body) => overHttp(url, method, body, { expects: true }),
};

const send = await SENDS[transport]();
const said = [];

async function ask(text) {
  const body = JSON.stringify({ model: "gpt-5", messages: [{ role: "user", content: text }] });
  const { status, text: answer } = await send(chat, "POST", body);
  const { choices, error } = JSON.parse(answer);
  return choices?.[0].message.content ?? `${status} ${error?.message}`;
}

const failed = (error) => `${error.name}: ${error.message}`;
said.push(await ask("one"));
said.push(await ask(`two ${mode === "other" ? "else" : ""}`));
if (mode !== "again") said.push((await send(`${TOOL_URL}/account/7`, "DELETE", '{"sure":true}')).text);
else said.push(await send(`${TOOL_URL}/account/8`, "DELETE", '{"sure":true}').then(({ text }) => text, failed));
said.push(...(await Promise.all(["three", "four"].map(ask))));
said.push(await ask(`five ${said[0]}`).catch(failed));
console.log(JSON.stringify(said));
