// Agents that call their model with axios, whose adapter in Node is node:http.
const http = require("node:http");
const { described, failing, say } = require("./program.cjs");
const { deltasOf, hello, textOf, url } = require("./wire.cjs");

async function calls({ axios }) {
  const client = axios.create({ baseURL: url(), httpAgent: new http.Agent({ keepAlive: true }) });
  const { status, statusText, headers, data } = await client.post("/chat/completions", hello("scn-ok"));
  say("head", [status, statusText, headers["content-type"], headers.get("Content-Type") === headers["content-type"]]);
  say("text", textOf(data));
  say("gzip", textOf((await client.post("/chat/completions", hello("scn-gzip"))).data));
  const all = await Promise.all(["a", "b", "c"].map((name) => client.post("/chat/completions", hello("scn-ok", name))));
  say("parallel", all.map((answer) => textOf(answer.data)).toSorted());
  client.defaults.httpAgent.destroy();
}

async function stream({ axios }) {
  for (const model of ["scn-ok", "scn-ragged"]) {
    const body = { ...hello(model), stream: true };
    const { data } = await axios.post(`${url()}/chat/completions`, body, { responseType: "stream" });
    say(model, (await deltasOf(data)).join("|"));
  }
}

async function early({ axios }) {
  const body = { ...hello("scn-stream-slow"), stream: true };
  const { data } = await axios.post(`${url()}/chat/completions`, body, { responseType: "stream" });
  for await (const chunk of data) {
    say("first", chunk.length > 0);
    break;
  }
  say("destroyed", data.destroyed);
}

async function failures({ axios }) {
  await failing("400", () => axios.post(`${url()}/chat/completions`, hello("scn-400")));
  try {
    await axios.post(`${url()}/chat/completions`, hello("scn-400"));
  } catch (error) {
    say("is", [axios.isAxiosError(error), error.response.status, error.response.data.error.message]);
  }
  await failing("reset", () => axios.post(`${url()}/chat/completions`, hello("scn-reset")));
  await failing("cut", () =>
    axios
      .post(`${url()}/chat/completions`, { ...hello("scn-cut"), stream: true }, { responseType: "stream" })
      .then(({ data }) => deltasOf(data)),
  );
  const kept = { validateStatus: () => true };
  say("kept", (await axios.post(`${url()}/chat/completions`, hello("scn-500x3"), kept)).status);
}

/** The usual interceptor: waits for what the server says, or a while with jitter, and sends the same again. */
async function retry({ axios }) {
  const client = axios.create({ baseURL: url() });
  client.interceptors.response.use(undefined, async (error) => {
    const tries = (error.config.tries ?? 0) + 1;
    if (tries > 2 || (error.response?.status ?? 500) < 429) throw error;
    const wait = Number(error.response?.headers["retry-after-ms"] ?? 10);
    await new Promise((resolve) => setTimeout(resolve, wait + Math.random() * 10));
    return client.request({ ...error.config, tries });
  });
  const { config, data } = await client.post("/chat/completions", hello("scn-429-then-ok"));
  say("text", [config.tries, textOf(data)]);
  await failing("in vain", () => client.post("/chat/completions", hello("scn-500x3")));
}

async function abort({ axios }) {
  // the first call of a process is slow: the time-outs are for the others
  await axios.post(`${url()}/chat/completions`, hello("scn-ok"));
  const stop = new AbortController();
  const call = axios.post(`${url()}/chat/completions`, hello("scn-slow"), { signal: stop.signal });
  setTimeout(() => stop.abort(), 100);
  await failing("abort", () => call);
  await failing("timeout", () => axios.post(`${url()}/chat/completions`, hello("scn-slow"), { timeout: 150 }));
  const gone = axios.post(`${url()}/chat/completions`, hello("scn-ok"), { signal: AbortSignal.abort() });
  say("aborted before", await gone.catch(described));
}

async function upload({ axios }) {
  await axios.post(`${url()}/chat/completions`, hello("scn-ok"));
  const { data } = await axios.postForm(`${url()}/files`, { purpose: "assistants", file: Buffer.from("one line\n") });
  say("file", data.object);
}

module.exports = {
  axios: calls,
  "axios-stream": stream,
  "axios-early": early,
  "axios-failures": failures,
  "axios-retry": retry,
  "axios-abort": abort,
  "axios-upload": upload,
};
