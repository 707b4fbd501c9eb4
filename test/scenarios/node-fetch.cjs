// Agents that call their model with the package node-fetch: fetch as it looks from outside, node:http below.
const { failing, say } = require("./program.cjs");
const { deltasOf, hello, textOf, url } = require("./wire.cjs");

function post(fetch, body, more = {}) {
  const headers = { "content-type": "application/json", authorization: "Bearer none" };
  return fetch(`${url()}/chat/completions`, { method: "POST", headers, body: JSON.stringify(body), ...more });
}

async function calls({ fetch }) {
  const response = await post(fetch, hello("scn-ok"));
  say("head", [response.status, response.statusText, response.ok, response.headers.get("content-type")]);
  const copy = response.clone();
  say("text", textOf(await response.json()));
  say("clone", textOf(JSON.parse(await copy.text())));
  say("gzip", textOf(await (await post(fetch, hello("scn-gzip"))).json()));
  const all = await Promise.all(["a", "b", "c"].map((name) => post(fetch, hello("scn-ok", name))));
  say("parallel", (await Promise.all(all.map((answer) => answer.json()))).map(textOf).toSorted());
}

async function stream({ fetch }) {
  for (const model of ["scn-ok", "scn-ragged"]) {
    const { body } = await post(fetch, { ...hello(model), stream: true });
    say(model, (await deltasOf(body)).join("|"));
  }
}

async function early({ fetch }) {
  const { body } = await post(fetch, { ...hello("scn-stream-slow"), stream: true });
  for await (const chunk of body) {
    say("first", chunk.length > 0);
    break;
  }
  say("destroyed", body.destroyed);
}

async function failures({ fetch }) {
  const refused = await post(fetch, hello("scn-400"));
  say("400", [refused.status, (await refused.json()).error.message]);
  await failing("reset", () => post(fetch, hello("scn-reset")));
  await failing("cut", async () => deltasOf((await post(fetch, { ...hello("scn-cut"), stream: true })).body));
}

async function retry({ fetch }) {
  for (let tries = 1; ; tries++) {
    const response = await post(fetch, hello("scn-429-then-ok"));
    if (response.ok) return say("text", [tries, textOf(await response.json())]);
    const wait = Number(response.headers.get("retry-after-ms"));
    await new Promise((resolve) => setTimeout(resolve, wait * (1 + Math.random())));
  }
}

async function abort({ fetch }) {
  // the first call of a process is slow: the time-outs are for the others
  await (await post(fetch, hello("scn-ok"))).text();
  const stop = new AbortController();
  const call = post(fetch, hello("scn-slow"), { signal: stop.signal });
  setTimeout(() => stop.abort(), 100);
  await failing("abort", () => call);
  await failing("deadline", () => post(fetch, hello("scn-slow"), { signal: AbortSignal.timeout(150) }));
}

/** The SDK over this fetch. */
async function below({ client }) {
  const agent = client();
  say("text", textOf(await agent.chat.completions.create(hello("scn-429-then-ok"))));
  const chunks = await agent.chat.completions.create({ ...hello("scn-ok"), stream: true });
  const deltas = [];
  for await (const chunk of chunks) deltas.push(chunk.choices[0]?.delta?.content ?? "");
  say("deltas", deltas);
  await failing("400", () => agent.chat.completions.create(hello("scn-400")));
}

module.exports = {
  "node-fetch": calls,
  "node-fetch-stream": stream,
  "node-fetch-early": early,
  "node-fetch-failures": failures,
  "node-fetch-retry": retry,
  "node-fetch-abort": abort,
  "node-fetch-below": below,
};
