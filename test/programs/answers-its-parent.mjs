// A process and one that it starts, which calls a model: `node answers-its-parent.mjs <way>`. The way "failing": the child fails.
import { fork } from "node:child_process";
import cluster from "node:cluster";

const [, , way, role] = process.argv;
const ask = () => import("./asks-by-variable.mjs");
const ended = (one) => new Promise((resolve) => one.on("exit", resolve));

if (way === "cluster") {
  if (cluster.isPrimary) {
    await ended(cluster.fork());
    await ask();
  } else {
    await ask();
    process.exit(3);
  }
} else if (role === "child") {
  if (way === "hears") await new Promise((resolve) => process.once("message", resolve));
  await ask();
  if (way === "tells") process.send("done");
  if (process.connected) process.disconnect();
} else {
  await ask();
  const child = fork(import.meta.filename, [way, "child"]);
  if (way === "hears") child.send("go on");
  await ended(child);
}
