// Streams that are split and piped, open files, ports, iterators of events, batches, hedges, caches, another client.
import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter, on } from "node:events";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import http from "node:http";
import { createInterface } from "node:readline";
import { PassThrough, Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as turn, setInterval as every, setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { branch, step } from "@reenact/node";
import { ask, call, outcome, said, seen } from "./model.mjs";

const own = new AsyncLocalStorage();
const cache = new Map();
const remembered = (key) => cache.get(key) ?? cache.set(key, call(`remember ${key}`)).get(key);

let batch = null;
function batched(key) {
  if (batch === null) {
    const keys = [];
    const answer = new Promise((resolve) => {
      process.nextTick(() => {
        batch = null;
        resolve(call(`batch ${keys.join()}`));
      });
    });
    batch = { keys, answer };
  }
  batch.keys.push(key);
  return batch.answer;
}

async function lengthOf(stream, mark) {
  let length = 0;
  for await (const chunk of stream) said(`${mark} ${(length += chunk.length) > 0} ${seen().length}`);
  return length;
}

/** The same call by `node:http`. */
function callByHttp(prompt) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const request = http.request(
    `${process.env.PROVIDER_URL}/v1/chat/completions`,
    { method: "POST", headers: { "content-type": "application/json" } },
    (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (piece) => (text += piece));
      response.on("end", () => resolve(JSON.parse(text).choices[0].message.content));
    },
  );
  request.on("error", reject);
  request.end(JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: prompt }] }));
  return promise;
}

export const PLUMBING = [
  async () => {
    const [one, two] = (await ask("split", { stream: true })).body.tee();
    const [a, b] = await Promise.all([lengthOf(one, "one"), lengthOf(two, "two")]);
    said(`split ${a === b}`);
  },
  async () => {
    const upper = new TransformStream({ transform: (piece, out) => out.enqueue(piece.toUpperCase()) });
    const { body } = await ask("piped", { stream: true });
    said(`piped ${(await lengthOf(body.pipeThrough(new TextDecoderStream()).pipeThrough(upper), "piece")) > 0}`);
  },
  async () => {
    let length = 0;
    const slow = new Transform({
      transform(piece, _, done) {
        length += piece.length;
        setImmediate(() => done(null, piece));
      },
    });
    await pipeline(Readable.fromWeb((await ask("pipeline", { stream: true })).body), slow, new PassThrough().resume());
    said(`pipeline ${length > 0}`);
  },
  async () => {
    const reader = (await ask("impatient", { stream: true })).body.getReader();
    for (let n = 0; ; n++) {
      const { done } = await Promise.race([reader.read(), sleep(3, { done: "late" })]);
      if (done === "late") await reader.cancel().catch(() => {});
      if (done) return said(`read ${n} ${done}`);
    }
  },
  async () => {
    const file = await open(import.meta.filename);
    const { bytesRead } = await file.read(Buffer.alloc(10), 0, 10, 0);
    said(`handle ${bytesRead} ${seen()}`);
    await file.close();
    said(`closed ${seen()}`);
  },
  async () => {
    let lines = 0;
    for await (const _ of createInterface({ input: createReadStream(import.meta.filename) })) if (++lines === 5) break;
    said(`lines ${lines} ${seen()}`);
  },
  async () => {
    const { port1, port2 } = new MessageChannel();
    const heard = new Promise((resolve) => port2.once("message", resolve));
    port1.postMessage(await call("posted"));
    said(`heard ${await heard} ${seen().length}`);
    port1.close();
  },
  async () => {
    const bus = new EventEmitter();
    const enough = new AbortController();
    void call("first").then((text) => bus.emit("text", text));
    void callByHttp("second").then((text) => bus.emit("text", text));
    setTimeout(() => bus.emit("text", "timer"), 4);
    setTimeout(() => enough.abort(), 60);
    const heard = [];
    const listening = (async () => {
      for await (const [text] of on(bus, "text", { signal: enough.signal })) if (heard.push(text) === 3) break;
    })();
    said(`listened ${await outcome(listening)} ${heard.join()}`);
  },
  async () => {
    let ticks = 0;
    for await (const _ of every(2)) {
      if (++ticks === 1) void call("tick").then((text) => said(`ticked ${text}`));
      if (ticks === 4) break;
    }
    said(`ticks ${ticks} ${seen()}`);
  },
  async () => {
    const won = new AbortController();
    const options = { signal: won.signal };
    const tries = [call("hedged", options), sleep(5).then(() => call("hedged", options))];
    for (const each of tries) each.catch(() => {});
    said(`hedged ${await Promise.any(tries)}`);
    won.abort();
  },
  async () => said(`batched ${(await Promise.all(["a", "b", "c"].map(batched))).join()}`),
  async () => said(`remembered ${(await Promise.all([remembered("k"), remembered("k")])).join()}`),
  async (k) =>
    own.run(k, async () => {
      await call("of my own");
      await turn();
      said(`own ${own.getStore()} ${await new Promise((resolve) => setImmediate(() => resolve(own.getStore())))}`);
    }),
  async () => {
    const packed = await Promise.all([promisify(zlib.gzip)("x".repeat(1000)), promisify(zlib.deflate)("y")]);
    said(`packed ${packed.map((each) => each.length).join()} ${seen()}`);
  },
  async (k) =>
    said(`step ${await step("work", async () => `${await call(`in a step ${k}`)} ${await sleep(1, "slept")}`)}`),
  async (k) => {
    const sides = ["x", "y"].map((name) =>
      branch(name, async () => {
        await sleep(Math.random() * 3);
        return call(`side ${name}`);
      }),
    );
    said(`sides ${(await Promise.all(sides)).join()} ${k}`);
  },
  async (k) => said(`by http ${await callByHttp(`q ${seen()}`)} ${k}`),
  async () => said(`either ${await Promise.race([callByHttp("either"), call("either")])}`),
];
