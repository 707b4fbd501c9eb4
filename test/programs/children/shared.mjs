// One child serves several runs, and the process around them. The argument is added to what the second run writes to it.
import { spawn } from "node:child_process";
import { AsyncLocalStorage } from "node:async_hooks";
import { once } from "node:events";
import { agent, tool } from "@reenact/node";
import { model } from "./model.mjs";

const place = new AsyncLocalStorage();
const heard = new Set();
let child = null;
function ask(text) {
  if (child === null) {
    child = spawn(process.execPath, ["-e", "process.stdin.on('data', (d) => process.stdout.write('<' + d + '>'))"]);
    child.stdout.setEncoding("utf8").on("data", () => heard.add(place.getStore()));
  }
  child.stdin.write(text);
  return once(child.stdout, "data").then(([answer]) => answer);
}

const answer = agent("answer", async (text) => {
  await model();
  const more = text === "two" ? (process.argv[2] ?? "") : "";
  return `${await ask(`${text}${more}`)}${await ask(`${text} again`)}`;
});
const look = tool("look", (text) => ask(text));
const withTool = agent("with a tool", async (text) => {
  await model();
  return `${await look(text)}${await ask("and beside it")}`;
});

console.log(await place.run("first", () => answer("one")));
console.log(await place.run("second", () => answer("two")));
console.log(await withTool("three"));
console.log(await ask("around"));
console.log(await answer("four"));
console.log("heard in the context of", [...heard]);
child.kill();
console.log(await once(child, "close"));
