// Timers and intervals that throw, beside calls, with a handler that lets the program go on.
import { call, print, said } from "./model.mjs";

process.on("uncaughtException", (error) => said(`caught ${error.message}`));
process.on("unhandledRejection", (error) => said(`unhandled ${error.message}`));

let n = 0;
const interval = setInterval(() => {
  n++;
  if (n === 5) clearInterval(interval);
  throw new Error(`interval ${n}`);
}, 2);
setTimeout(() => {
  throw new Error("timer");
}, 4);
setImmediate(() => {
  throw new Error("immediate");
});
void call("rejected", { model: "echo-random" }).then(() => {
  throw new Error("after a call");
});
for (let i = 0; i < 4; i++) said(await call(`call ${i}`, { model: "echo-random" }));
await new Promise((resolve) => setTimeout(resolve, 12));
print();
