// Agents that call their model with got: node:http below, retries and time-outs of its own.
const { described, failing, say } = require("./program.cjs");
const { deltasOf, hello, textOf, url } = require("./wire.cjs");

const chat = () => `${url()}/chat/completions`;
const once = { retry: { limit: 0 } };

async function calls({ got }) {
  const response = await got.post(chat(), { json: hello("scn-ok"), responseType: "json" });
  say("head", [response.statusCode, response.statusMessage, response.headers["content-type"], response.retryCount]);
  say("text", textOf(response.body));
  say("json", textOf(await got.post(chat(), { json: hello("scn-gzip") }).json()));
  const client = got.extend({ prefixUrl: url(), responseType: "json", resolveBodyOnly: true });
  const all = ["a", "b", "c"].map((name) => client.post("chat/completions", { json: hello("scn-ok", name) }));
  say("parallel", (await Promise.all(all)).map(textOf).toSorted());
}

async function stream({ got }) {
  for (const model of ["scn-ok", "scn-ragged"]) {
    const body = got.stream.post(chat(), { json: { ...hello(model), stream: true } });
    say(model, (await deltasOf(body)).join("|"));
  }
}

async function early({ got }) {
  const body = got.stream.post(chat(), { json: { ...hello("scn-stream-slow"), stream: true } });
  for await (const chunk of body) {
    say("first", chunk.length > 0);
    break;
  }
  say("destroyed", body.destroyed);
}

async function failures({ got }) {
  await failing("400", () => got.post(chat(), { json: hello("scn-400") }));
  try {
    await got.post(chat(), { json: hello("scn-400"), responseType: "json" });
  } catch (error) {
    say("is", [error.code, error.response.statusCode, error.response.body.error.message]);
  }
  await failing("reset", () => got.post(chat(), { json: hello("scn-reset"), ...once }));
  await failing("cut", () =>
    deltasOf(got.stream.post(chat(), { json: { ...hello("scn-cut"), stream: true }, ...once })),
  );
  const kept = await got.post(chat(), { json: hello("scn-500x3"), throwHttpErrors: false });
  say("kept", kept.statusCode);
}

async function retry({ got }) {
  const retries = { limit: 2, methods: ["POST"], backoffLimit: 20 };
  const response = await got.post(chat(), { json: hello("scn-429-then-ok"), retry: retries, responseType: "json" });
  say("text", [response.retryCount, textOf(response.body)]);
  // got destroys a response that it retries; where its body is still on its way, got at times fails with a ReadError in place of the last status
  await failing("in vain", () => got.post(chat(), { json: hello("scn-500-at-once"), retry: retries }));
}

async function abort({ got }) {
  // the first call of a process is slow: the time-outs are for the others
  await got.post(chat(), { json: hello("scn-ok") });
  const stop = new AbortController();
  const call = got.post(chat(), { json: hello("scn-slow"), signal: stop.signal });
  setTimeout(() => stop.abort(), 100);
  await failing("abort", () => call);
  await failing("timeout", () => got.post(chat(), { json: hello("scn-slow"), timeout: { request: 150 }, ...once }));
  const gone = got.post(chat(), { json: hello("scn-ok"), signal: AbortSignal.abort() });
  say("aborted before", await gone.catch(described));
}

module.exports = {
  got: calls,
  "got-stream": stream,
  "got-early": early,
  "got-failures": failures,
  "got-retry": retry,
  "got-abort": abort,
};
