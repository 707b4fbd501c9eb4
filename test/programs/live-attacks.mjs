// Asks a model, and then does over `node:http` what a live replay must not let out: `node live-attacks.mjs <act>`.
import http from "node:http";
import axios from "axios";

const [, , act = "none"] = process.argv;
const { PROVIDER_URL, TOOL_URL, OPENAI_API_KEY: key = "" } = process.env;
const headers = { "content-type": "application/json", authorization: `Bearer ${key}`, "x-api-key": key };
const asked = (text) => JSON.stringify({ model: "gpt-5", messages: [{ role: "user", content: text }] });
const failed = (error) => `${error.code ?? error.name}`;
const ask = async (text, more = {}) => {
  const { data } = await axios.post(`${PROVIDER_URL}/v1/chat/completions`, asked(text), { headers, ...more });
  return data.choices?.[0].message.content ?? "no answer";
};

/** A request that tells of no body, and another one in the bytes behind its head; `late`: once the head is out. */
function smuggle(late) {
  const { request, done } = open(`${PROVIDER_URL}/v1/chat/completions`, { headers });
  for (const name of ["transfer-encoding", "content-length"]) request.removeHeader(name);
  const end = () => request.end("DELETE /account/7 HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n");
  if (!late) end();
  else {
    request.flushHeaders();
    setTimeout(end, 20);
  }
  return done;
}

/** A request of `node:http`, of which only a part is written unless `end` is called. */
function open(url, options) {
  const request = http.request(url, { method: "POST", ...options });
  const done = new Promise((resolve) => {
    request.on("response", (response) => response.resume().on("end", () => resolve(response.statusCode)));
    request.on("error", (error) => resolve(failed(error))).on("close", () => resolve("closed"));
  });
  return { request, done };
}

const ACTS = {
  none: () => "nothing",
  quiet: () => "nothing",
  // the provider leads to the tool's server, and the client follows by a request of its own
  redirect: () => ask("[[to-tool]]").catch(failed),
  // the address says the provider, the connection goes elsewhere
  host: async () => {
    const { host } = new URL(PROVIDER_URL);
    const path = "/v1/chat/completions";
    const { request, done } = open(`${TOOL_URL}${path}`, { headers: { ...headers, host } });
    request.end(asked("host"));
    return done;
  },
  // the path is changed before the head is written
  path: async () => {
    const { request, done } = open(`${PROVIDER_URL}/v1/chat/completions`, { headers });
    request.path = "/account/7";
    request.end(asked("path"));
    return done;
  },
  // and so is the method
  method: async () => {
    const { request, done } = open(`${PROVIDER_URL}/v1/chat/completions`, { headers });
    request.method = "DELETE";
    request.end(asked("method"));
    return done;
  },
  behind: () => smuggle(false),
  "behind-late": () => smuggle(true),
  // left with half of its body unsent
  abort: async () => {
    const body = asked("abort");
    const own = { ...headers, "content-length": Buffer.byteLength(body) };
    const { request, done } = open(`${PROVIDER_URL}/v1/chat/completions`, { headers: own });
    request.write(body.slice(0, 20));
    setTimeout(() => request.destroy(), 50);
    return done;
  },
  // four at once, each dearer than the limit
  parallel: () => Promise.all([1, 2, 3, 4].map((n) => ask(`parallel ${n}`).catch(failed))),
  // the server cuts the connection, and the program asks again
  cut: async () => (await ask("[[cut-off]]").catch(failed)) + (await ask("[[cut-off]]").catch(failed)),
  // a request to the tool over the connection that a live call has left open
  keepalive: async () => {
    const httpAgent = new http.Agent({ keepAlive: true });
    await ask("kept", { httpAgent });
    return axios.delete(`${PROVIDER_URL}/account/7`, { headers, httpAgent, data: "{}" }).then(() => "deleted", failed);
  },
};

if (act === "late") {
  // the second call is left before its body is whole, and nothing else tells
  await ask("one");
  await ACTS.abort();
} else {
  const said = [await ask("one"), await ACTS[act](), await ask("last").catch(failed)];
  if (act !== "quiet") console.log(JSON.stringify(said));
}
