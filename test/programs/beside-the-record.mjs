// One model call, then something that is in no record: `node beside-the-record.mjs <way>`. ADDON: path of a native addon.
import { fork } from "node:child_process";
import { createRequire } from "node:module";
import net from "node:net";
import { text } from "node:stream/consumers";
import { Worker } from "node:worker_threads";

const asks = new URL("asks-by-variable.mjs", import.meta.url);
const ended = (one) => new Promise((resolve) => one.on("exit", resolve));

const ways = {
  fork: () => ended(fork(asks)),
  thread: () => ended(new Worker(asks)),
  input: () => text(process.stdin),
  socket: () =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(process.env.PROVIDER_URL);
      const socket = net.connect(Number(port), hostname, () => socket.destroy());
      socket.on("close", resolve);
    }),
  addon: () => createRequire(import.meta.url)(process.env.ADDON),
  nothing: () => {},
};

if (process.argv[2] !== "fork-only") {
  await import(asks);
  await ways[process.argv[2]]();
} else await ways.fork();
console.log("done");
