// Dies by SIGKILL while a tool yields values of 40 KiB: more than the recorder writes of a step that goes on. The tool is a
// synchronous generator with the argument "sync".
import { tool } from "@reenact/node";
import { call } from "./model.mjs";

const page = "text ".repeat(8192);
async function* turns() {
  for (;;) yield page;
}
function* now() {
  for (;;) yield page;
}
const pages = tool("pages", process.argv[2] === "sync" ? now : turns);
let n = 0;
for await (const page of pages()) {
  await call(`page of ${page.length}`);
  console.log(`value ${n}`);
  if (++n === 4) process.kill(process.pid, "SIGKILL");
}
