// Dies by SIGKILL while a tool yields its values, each of which the program has acted on. With an argument it asks otherwise.
import { tool } from "@reenact/node";
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "./model.mjs";

const rows = tool("rows", async function* () {
  for (let n = 0; ; n++) {
    await sleep(5);
    yield { row: n, mail: `grace.hopper${n}@example.com` };
  }
});
for await (const { row } of rows()) {
  console.log(await call(row === 1 && process.argv[2] !== undefined ? "another row" : `row ${row}`));
  if (row === 2) process.kill(process.pid, "SIGKILL");
}
