// An instant tool against microtask chains of many lengths.
import { tool } from "@reenact/node";
import { call, hops, print, said } from "./model.mjs";

const instant = tool("instant", async (x) => `instant ${x}`);
const failing = tool("failing", async (x) => Promise.reject(new RangeError(`bad ${x}`)));
const plain = tool("plain", (x) => x * 2);

for (const length of [0, 1, 2, 3, 5, 8, 40]) said(await Promise.race([instant(length), hops(length)]));
said(await Promise.race([failing(1).catch((e) => e.message), hops(3)]));
await Promise.all([
  instant("a").then((v) => said(v)),
  hops(4).then((v) => said(v)),
  failing("b").catch((e) => said(e.message)),
  call("beside").then((v) => said(v)),
  hops(plain(3)).then((v) => said(v)),
  instant("c")
    .then(() => instant("d"))
    .then((v) => said(v)),
]);
print();
