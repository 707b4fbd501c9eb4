// Draws between the arrival of a result and its delivery, and results that nobody waits for any more.
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "@reenact/node";
import { call, hops, print, said } from "./model.mjs";

const instant = tool("instant", async (x) => `instant ${x}`);

for (let i = 0; i < 5; i++) {
  const owed = instant(i);
  await hops(9);
  said(`drawn ${Math.random()} ${Date.now()}`);
  const next = instant(`${i} again`);
  said(await owed);
  said(await next);
}
const stop = new AbortController();
const calls = [1, 2, 3].map((n) =>
  call(`storm ${n}`, { wait: 2, signal: stop.signal }).then(said, (e) => said(e.name)),
);
await sleep(1);
const until = performance.now() + 15;
while (performance.now() < until);
stop.abort();
await Promise.all(calls);
said(`drawn ${Math.random()}`);
print();
