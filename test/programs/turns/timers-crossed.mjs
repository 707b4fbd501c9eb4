// Timers that fire in another order than they were made in, cleared ones, refreshed ones, and equal delays.
import { setTimeout as sleep } from "node:timers/promises";
import { call, print, said } from "./model.mjs";

const all = [30, 4, 12, 4, 20, 1].map((ms, n) => sleep(ms).then(() => said(`timer ${n} of ${ms}`)));
const cleared = setTimeout(() => said("never"), 3);
const refreshed = setTimeout(() => said("refreshed"), 8);
const unreferenced = setTimeout(() => said("unreferenced"), 6);
unreferenced.unref();
setTimeout(() => refreshed.refresh(), 5);
setTimeout(() => clearTimeout(cleared), 1);
let ticks = 0;
const interval = setInterval(() => {
  said(`tick ${ticks}`);
  if (++ticks === 4) clearInterval(interval);
}, 3);
await Promise.all([...all, call("beside", { model: "echo-random" }).then(said)]);
print();
