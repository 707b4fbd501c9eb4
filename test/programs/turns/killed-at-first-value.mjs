// Dies by SIGKILL with a tool that has yielded its first value, on which the program has not acted by a step.
import { tool } from "@reenact/node";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "./model.mjs";

const rows = tool("rows", async function* () {
  yield "a row";
  await sleep(1000);
});
await call("begin");
console.log("begun");
for await (const row of rows()) {
  await sleep(20);
  console.log(row);
  process.kill(process.pid, "SIGKILL");
}
