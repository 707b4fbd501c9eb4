// Tools: slow, instant, synchronous, throwing, calling, giving values that are no JSON.
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { tool } from "@reenact/node";
import { ask, call, outcome, said } from "./model.mjs";

const slow = tool("slow", async (x) => {
  await sleep(3);
  return `slow ${x} ${Math.random() < 0.5}`;
});
const instant = tool("instant", async (x) => `instant ${x}`);
const synchronous = tool("synchronous", (x) => ({ x, at: Date.now() % 7 }));
const throwing = tool("throwing", async (x) => {
  await turn();
  throw new RangeError(`bad ${x}`);
});
const fetching = tool("fetching", async (x) => {
  const r = await ask(`inner ${x}`);
  return (await r.text()).length > 0 ? `fetched ${x} ${Math.floor(Math.random() * 99)}` : "";
});
const structured = tool(
  "structured",
  async (x) =>
    new Map([
      ["x", x],
      ["at", new Date(Date.now())],
      ["error", new TypeError("kept")],
    ]),
);
const cached = { value: 0 };
const shared = tool("shared", async () => cached);

export const TOOLS = [
  async () => said(`any ${await outcome(Promise.any([throwing(1), call("any"), throwing(2)]))}`),
  async () => {
    const all = await Promise.allSettled([slow(1), throwing(2), call("settled")]);
    said(`settled ${all.map((s) => s.status + (s.value ?? s.reason?.message)).join()}`);
  },
  async (k) => said(`slow ${await slow(k)}`),
  async (k) => said(`instant ${await instant(k)}`),
  async (k) => {
    const v = synchronous(k);
    said(`sync ${v.x} ${v.at}`);
  },
  async (k) => said(`threw ${await outcome(throwing(k))}`),
  async (k) => said(`fetching ${await fetching(k)}`),
  async (k) => {
    const m = await structured(k);
    said(`map ${m.get("x")} ${m.get("at") instanceof Date} ${m.get("error").name}`);
  },
  async () => {
    const [a, b] = await Promise.all([shared(), shared()]);
    said(`shared ${a === b}`);
  },
  async () => {
    async function* three() {
      for (let i = 0; i < 3; i++) {
        await sleep(1);
        yield await instant(i);
      }
    }
    for await (const x of three()) said(`generated ${x}`);
  },
  async () => said(`chance ${Math.random() < 0.5 ? await call(`heads ${Math.random()}`) : await slow("tails")}`),
];
