// A child that the first call of an agent starts, and that writes on when the call which asked it has ended.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { agent } from "@reenact/node";
import { model } from "./model.mjs";

let child = null;
const heard = [];
function ask(text) {
  if (child === null) {
    child = spawn(process.execPath, [
      "-e",
      "process.stdin.on('data', (d) => { process.stdout.write('<' + d + '>'); setTimeout(() => process.stderr.write('log ' + d + ';'), 150); })",
    ]);
    child.stdout.setEncoding("utf8");
    child.stderr.setEncoding("utf8").on("data", (line) => {
      console.log("heard", line);
      setTimeout(() => heard.push(`after ${line}`), 10);
    });
  }
  child.stdin.write(text);
  return once(child.stdout, "data").then(([answer]) => answer);
}

const answer = agent("answer", async (text) => {
  await model();
  return ask(text);
});

console.log(await answer("one"));
console.log(await answer("two"));
await sleep(400);
console.log(await answer("three"));
await sleep(400);
console.log(heard.join(" "));
child.kill();
console.log(await once(child, "close"));
