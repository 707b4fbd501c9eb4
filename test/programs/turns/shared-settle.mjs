// Two tools wait for one promise: both results are ready in the same turn, and what follows must not interleave.
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "@reenact/node";
import { hops, print, said } from "./model.mjs";

let loading = null;
const load = () => (loading ??= sleep(5, "loaded"));
const left = tool("left", async () => load());
const right = tool("right", async () => load());

async function follow(name, ready) {
  await ready;
  for (let i = 0; i < 4; i++) {
    said(`${name}${i}`);
    await hops(1);
  }
}

for (let round = 0; round < 3; round++) {
  loading = null;
  await Promise.all([follow("left", left()), follow("right", right())]);
}
print();
