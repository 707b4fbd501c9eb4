// Calls of agent() that go on at the same time, each a run of its own, beside timers and calls of the process.
import { setTimeout as sleep } from "node:timers/promises";
import { agent } from "@reenact/node";
import { call, outcome, said, seen, whole } from "./model.mjs";

const once = agent("once", async (q) => call(`once ${q}`));
const steps = agent("steps", async (q, n) => {
  const texts = [];
  for (let i = 0; i < n; i++) {
    texts.push(await call(`steps ${q} ${i} ${texts.at(-1) ?? ""}`));
    if (Math.random() < 0.5) await sleep(Math.random() * 4);
  }
  return texts.join("+");
});
const streams = agent("streams", async (q) => whole(`streams ${q}`));
const outer = agent("outer", async (q) => {
  const inner = await Promise.all([once(`inner ${q}`), steps(`inner ${q}`, 2), outcome(throws(q))]);
  return `${inner.join()} ${await call("outer")}`;
});
const throws = agent("throws", async (q) => {
  if (q !== "early") await call(`throws ${q}`);
  throw new RangeError(`thrown ${q}`);
});
const waits = agent("waits", async (ms) => sleep(ms, "waited"));
const idle = agent("idle", async (q) => q);
const twice = agent("twice", (n) => n * 2);
const yields = agent("yields", async function* (q) {
  yield "first";
  yield await call(`yields ${q}`);
  try {
    yield* ["third", await sleep(2, "fourth")];
    return await call("last");
  } finally {
    await sleep(1);
  }
});

export const RUNS = [
  async (k) => said(`once ${await once(k)} ${seen()}`),
  async (k) => {
    const all = [1, 3, 2].map(async (n) => {
      const text = await steps(k, n);
      said(`steps ${n} ${seen()}`);
      return `${text} ${await call(`behind ${n} ${seen()}`)}`;
    });
    said(`all ${(await Promise.all(all)).join()}`);
  },
  async (k) => {
    let ticks = 0;
    const timer = setInterval(() => said(`tick ${++ticks} ${seen()}`), 2);
    said(`beside ${await steps(k, 2)} ${await once(k)} ${Date.now()}`);
    clearInterval(timer);
    said(`ticks ${await call(`ticked ${ticks}`)}`);
  },
  async (k) => {
    const calls = [];
    const { promise, resolve } = Promise.withResolvers();
    const timer = setInterval(() => {
      const n = calls.push(once(`${k} ${calls.length}`).then((text) => said(`in interval ${text} ${seen()}`)));
      if (n === 3) resolve(clearInterval(timer));
    }, 3);
    await promise;
    await Promise.all(calls);
  },
  async (k) => said(`race ${await Promise.race([steps(k, 2), once(k), sleep(9, "late")])} ${seen()}`),
  async (k) => said(`any ${await Promise.any([throws(k), streams(k), outer(k)])} ${seen()}`),
  async (k) => said(`deadline ${await Promise.race([outer(k), sleep(6, "late")])} ${await call(seen())}`),
  async (k) =>
    said(`settled ${(await Promise.allSettled([throws(k), throws("early"), once(k)])).map((e) => e.status)}`),
  async (k) => said(`threw ${await outcome(throws(k))} ${seen()} ${Math.random()}`),
  async (k) => said(`nested ${await outer(k)} ${seen()}`),
  async () => {
    const first = waits(5);
    const texts = [await idle("idle"), twice(3), await waits(2), await call("waits"), await first];
    said(`without steps ${texts.join()} ${seen()}`);
  },
  async (k) => {
    const reading = ["a", "b"].map(async (name) => {
      for await (const text of yields(`${k} ${name}`)) said(`${name} ${text} ${seen()}`);
    });
    await Promise.all([...reading, once(k)]);
    for await (const text of yields(k)) if (said(`left ${text}`) ?? text !== "first") break;
    said(`yielded ${seen()}`);
  },
  async (k) => {
    void once(`not awaited ${k}`).then((text) => said(`at last ${text} ${seen()}`));
    said(
      `chained ${await once(k)
        .then((text) => steps(text, 1))
        .finally(() => said("finally"))}`,
    );
  },
  async (k) => {
    const queue = ["1", "2", "3", "4", "5"];
    const worker = async (name) => {
      for (let q = queue.shift(); q !== undefined; q = queue.shift())
        said(`${name} ${q} ${await once(`${k} ${q}`)} ${seen()}`);
    };
    await Promise.all([worker("x"), worker("y")]);
  },
  async (k) => {
    const [ticked, answered] = [new Promise((resolve) => setImmediate(resolve, "tick")), steps(k, 1)];
    said(`tick ${await Promise.race([ticked, answered])} ${await answered} ${crypto.randomUUID()}`);
  },
];
