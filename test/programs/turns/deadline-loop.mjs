// A loop under AbortSignal.timeout: how far it comes is decided by timers alone.
import { setTimeout as sleep } from "node:timers/promises";
import { call, print, said } from "./model.mjs";

const deadline = AbortSignal.timeout(40);
let rounds = 0;
while (!deadline.aborted) {
  rounds++;
  await sleep(4);
}
said(`rounds ${rounds} ${deadline.reason.name}`);
const either = AbortSignal.any([AbortSignal.timeout(15), new AbortController().signal]);
said(await call("too slow", { wait: 300, signal: either }).catch((e) => `${e.name} ${e === either.reason}`));
said(await call("fast", { signal: AbortSignal.timeout(5000) }));
print();
