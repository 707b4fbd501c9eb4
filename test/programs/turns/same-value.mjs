// Synchronous tools give their value in the same turn; an object that is returned twice is one object.
import { tool } from "@reenact/node";
import { call, print, said } from "./model.mjs";

const cache = { hits: 0 };
const cached = tool("cached", () => cache);
const later = tool("later", async () => cache);
const add = tool("add", (a, b) => a + b);
const refuse = tool("refuse", () => {
  throw new TypeError("no");
});

said(`${cached() === cached()} ${add(1, 2) * 2}`);
said(`${cached() === (await later())}`);
try {
  refuse();
} catch (error) {
  said(`${error instanceof TypeError} ${error.message}`);
}
said(await call(`sum ${add(3, 4)}`));
print();
