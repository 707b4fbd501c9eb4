// The same wire format without any SDK, over node:http.
const http = require("node:http");
const { say } = require("./program.cjs");

/** Resolves with the response; its body has not been read. */
function post(url, body, agent) {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", authorization: "Bearer none" };
    const request = http.request(url, { method: "POST", headers, agent }, resolve);
    request.on("error", reject);
    request.end(JSON.stringify(body));
  });
}

async function read(response) {
  const parts = [];
  for await (const part of response) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

const hello = (model, more = {}) => ({ model, ...more, messages: [{ role: "user", content: "hello" }] });

async function nodeHttp({ client }) {
  const url = `${client().baseURL}/chat/completions`;
  const agent = new http.Agent({ keepAlive: true });
  for (const model of ["scn-ok", "scn-400", "scn-odd-status"]) {
    const response = await post(url, hello(model), agent);
    const body = JSON.parse(await read(response));
    say(model, [response.statusCode, Buffer.from(response.statusMessage, "latin1").toString("utf8")]);
    say("text", body.choices?.[0].message.content ?? body.error.message);
  }
  agent.destroy();
}

async function nodeHttpStream({ client }) {
  const url = `${client().baseURL}/chat/completions`;
  const response = await post(url, hello("scn-ok", { stream: true }));
  const lines = (await read(response)).split("\n").filter((line) => line.startsWith("data: {"));
  say(
    "deltas",
    lines.map((line) => JSON.parse(line.slice(6)).choices[0].delta.content ?? null),
  );
}

async function nodeHttpReset({ client }) {
  try {
    await post(`${client().baseURL}/chat/completions`, hello("scn-reset"));
  } catch (error) {
    say("reset", [error.constructor.name, error.code, error.message]);
  }
}

module.exports = { "node-http": nodeHttp, "node-http-stream": nodeHttpStream, "node-http-reset": nodeHttpReset };
