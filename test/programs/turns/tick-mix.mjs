// nextTick, queueMicrotask, setImmediate, promises and results of calls, mixed.
import { EventEmitter, once } from "node:events";
import { tool } from "@reenact/node";
import { call, hops, print, said } from "./model.mjs";

const instant = tool("instant", async (x) => x);

function mix(name) {
  process.nextTick(() => said(`${name} tick`));
  queueMicrotask(() => said(`${name} microtask`));
  setImmediate(() => said(`${name} immediate`));
  setTimeout(() => said(`${name} timer`), 0);
  void hops(3).then(() => said(`${name} hops`));
  process.nextTick(() => queueMicrotask(() => process.nextTick(() => said(`${name} tick in tick`))));
}

const bus = new EventEmitter();
const done = once(bus, "done");
mix("start");
await Promise.all([
  call("a", { model: "echo-random" }).then((t) => (mix("a"), said(t))),
  call("b", { model: "echo-random" }).then((t) => (mix("b"), said(t))),
  instant("c").then((t) => (mix("c"), said(t))),
  call("d", { model: "echo-random" }).then((t) => process.nextTick(() => bus.emit("done", t))),
  done.then(([t]) => (mix("done"), said(t))),
]);
await new Promise((resolve) => setTimeout(resolve, 5));
print();
