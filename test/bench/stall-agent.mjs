// stall-agent.mjs: does what its parent asks for, and says how long its event loop stood still at the longest. The parent
// starts it with the recorder, and without.
import { request } from "node:http";
import { agent, tool } from "@reenact/node";
import { bodyOf } from "./stall-bodies.mjs";

const base = process.env.PROVIDER_URL;
const { sleep, begin, end } = globalThis[Symbol.for("reenact.bench.stall")];

/** Tools that return what they are asked for, or take it. */
const give = tool("give", async (name) => held.get(name));
const take = tool("take", async (value) => value.length);
/** a run of its own, with its input and its output */
const echo = agent("echo", async (value) => value);
const held = new Map();

const ACTS = {
  async request(body) {
    const [type, sent] = body.asRequest;
    await fetch(`${base}${body.path}?bytes=0`, { method: "POST", headers: { "content-type": type }, body: sent });
  },
  async response(body, { kind, bytes, seed }) {
    const asked = JSON.stringify({ model: "bench", messages: [{ role: "user", content: `answer ${seed}` }] });
    const url = `${base}${body.path}?kind=${kind}&bytes=${bytes}&seed=${seed}`;
    const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: asked });
    await response.arrayBuffer();
  },
  async stream(_, { kind, bytes, seed }) {
    const asked = JSON.stringify({ model: "bench", stream: true, messages: [{ role: "user", content: `s ${seed}` }] });
    const url = `${base}/v1/chat/completions?kind=${kind}&bytes=${bytes}&seed=${seed}&stream=1`;
    const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: asked });
    for await (const _chunk of response.body);
  },
  gzip(body, { kind, bytes, seed }) {
    const url = `${base}${body.path}?kind=${kind}&bytes=${bytes}&seed=${seed}&gzip=1`;
    return new Promise((resolve, reject) => {
      const call = request(url, { method: "POST", headers: { "content-type": "application/json" } }, (response) =>
        response.resume().on("end", resolve),
      );
      call
        .on("error", reject)
        .end(JSON.stringify({ model: "bench", messages: [{ role: "user", content: `g ${seed}` }] }));
    });
  },
  async agent(body) {
    await echo(body.value);
  },
  async result(body) {
    held.set("value", body.value);
    await give("value");
  },
  async argument(body) {
    await take(body.value);
  },
  async output(body) {
    if (typeof body.value === "string") process.stdout.write(body.value);
  },
};

process.on("message", (job) => void measure(job));
// a run is born, and what runs once has run
await ACTS.response(bodyOf("code", 1000, 1), { kind: "code", bytes: 1000, seed: 1 });
process.send("ready");

async function measure(job) {
  const { act, kind, bytes, seed, quietMs } = job;
  const body = bodyOf(kind, bytes, seed);
  await sleep(30);
  begin();
  await sleep(5);
  await ACTS[act](body, job);
  await sleep(quietMs);
  const ms = end();
  held.clear();
  process.send({ ms });
}
