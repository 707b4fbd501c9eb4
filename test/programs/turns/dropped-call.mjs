// Four calls at once, answered in the order d, b, c, a. "without-d" never makes the last one; "with-e" makes one more.
import { call } from "./model.mjs";

const change = process.argv[2];
const waits = { a: 400, b: 100, c: 250, d: 1 };
const calls = Object.entries(waits)
  .filter(([name]) => !(name === "d" && change === "without-d"))
  .map(([name, wait]) => call(name, { wait }).then(() => console.log(name)));
if (change === "with-e") calls.push(call("e").then(console.log, (e) => console.log(`e: ${e.name}`)));
await Promise.all(calls);
console.log("end");
