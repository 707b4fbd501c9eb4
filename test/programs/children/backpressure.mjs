// A pipe to a child that reads slowly. What the program does when it may write on is recorded as its other work.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { model } from "./model.mjs";

await model();
const child = spawn("sh", ["-c", "sleep 0.3; wc -c"]);
child.stdin.write("x".repeat(500_000));
child.stdin.once("drain", async () => {
  console.log(new Date().toISOString(), await model(), Math.random());
  child.stdin.end();
});
child.stdout.on("data", (text) => console.log(String(text).trim()));
await once(child, "close");
