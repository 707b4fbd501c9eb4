// Writes that children do not take: what callbacks and events say is the same in each run.
import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { model } from "./model.mjs";
if (process.argv[2] === "child") process.exit(0);
await model();
const code = (e) => (e ? `${e.code} ${e.syscall ?? ""}` : e);
{
  // closes its input, and goes on
  const said = [];
  const deaf = spawn("sh", ["-c", "exec <&-; echo closed; sleep 0.3"]);
  deaf.stdin.on("error", (e) => said.push(["error", code(e), e.message, e.errno]));
  deaf.stdin.on("close", () => said.push("close"));
  await once(deaf.stdout, "data");
  deaf.stdin.write("one", (e) => said.push(["one", code(e)]));
  deaf.stdin.write("two", (e) => said.push(["two", code(e)]));
  await once(deaf, "close");
  console.log(JSON.stringify(said));
  deaf.stdin.write("three", (e) => said.push(["three", code(e)]));
  await sleep(10);
  console.log(JSON.stringify(said), deaf.stdin.destroyed, deaf.stdin.writable);
}
{
  // has gone
  const said = [];
  const gone = spawn("true");
  gone.stdin.on("error", (e) => said.push(["error", code(e)]));
  gone.stdin.on("close", () => said.push("close"));
  await once(gone, "exit");
  gone.stdin.write("one", (e) => said.push(["one", code(e)]));
  await sleep(50);
  gone.stdin.end("two", (e) => said.push(["two", code(e)]));
  await sleep(50);
  console.log(JSON.stringify(said), gone.stdin.destroyed);
}
{
  // dies amid a large write
  const said = [];
  const dies = spawn("sh", ["-c", "sleep 0.1; exit 3"]);
  dies.stdin.on("error", (e) => said.push(["error", code(e)]));
  dies.stdin.on("close", () => said.push("close"));
  dies.stdin.write("x".repeat(300_000), (e) => said.push(["large", code(e)]));
  dies.stdin.write("more", (e) => said.push(["more", code(e)]));
  console.log(await once(dies, "close"));
  await sleep(10);
  console.log(JSON.stringify(said), dies.stdin.destroyed);
}
{
  // could not be started
  const said = [];
  const none = spawn("/nonexistent/x");
  none.on("error", (e) => said.push(["spawn", code(e)]));
  none.stdin.on("error", (e) => said.push(["error", code(e)]));
  none.stdin.write("one", (e) => said.push(["one", code(e)]));
  await sleep(50);
  console.log(JSON.stringify(said), none.stdin.destroyed);
}
{
  // a destroyed input
  const said = [];
  const cat = spawn("cat");
  cat.stdout.resume();
  cat.stdin.on("error", () => {});
  cat.stdin.on("close", () => said.push("close"));
  cat.stdin.write("x".repeat(200_000), (e) => said.push(["one", code(e)]));
  cat.stdin.write("x".repeat(200_000), (e) => said.push(["two", code(e)]));
  cat.stdin.destroy(new Error("mine"));
  await once(cat, "close");
  await sleep(10);
  console.log(JSON.stringify(said));
}
{
  // a message to a child that has gone
  const said = [];
  const forked = fork(process.argv[1], ["child"]);
  forked.on("error", (e) => said.push(["error", code(e)]));
  await once(forked, "exit");
  console.log(
    forked.connected,
    forked.send?.("one", (e) => said.push(["one", code(e)])),
  );
  await sleep(50);
  console.log(JSON.stringify(said));
}
