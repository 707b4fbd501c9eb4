/* oxlint-disable -- odd values on purpose */
// Calls tools with values of many types.
// steps: one for each call of a tool or of step()
import { tool, agent, step, input, flag, identify, branch } from "@reenact/node";
class Box {
  constructor(v) {
    this.v = v;
  }
  get w() {
    return this.v;
  }
}
class Crate {
  constructor(v) {
    this.v = v;
  }
}
const t = tool("t", async (...a) => "r" + a.length);
const m = tool("mutates", async (o) => ({ ...o, seen: true }));
const o = tool({ name: "obj", parameters: {}, execute: async (a, b) => a.n });
const g = tool("gen", async function* (n) {
  for (let i = 0; i < n; i++) yield { i };
});
const s = tool("sync", (n) => n * 2);
await t({ a: undefined });
await t(
  new Map([
    ["a", 1],
    ["b", 2],
  ]),
);
await t(new Set([1, 2]));
await t(new Date(1000));
await t(-0);
await t([1, , 3]);
await t(new Box(5));
await t(10n);
await t(NaN, Infinity);
await t(Symbol.for("x"));
await t(() => 1);
await t(/a/g);
await t(new Uint8Array([1, 2]));
await t(new ArrayBuffer(4));
await t(Object.create(null, { x: { value: 1, enumerable: true } }));
await t(new Error("arg"));
await t(new URL("http://a/b"));
await t(new Headers({ a: "1" }));
await t({ a: { b: { c: [1, { d: "deep" }] } } });
const shared = { z: 1 };
await t([shared, shared]);
const cyc = { n: 1 };
cyc.me = cyc;
await t(cyc);
await t("text", 2);
await t({ s: "a".repeat(10) });
await t(new Blob(["blob"]));
await t(Buffer.from("buf"));
await t(new Float64Array([0.1]));
await t(Promise.resolve(3));
await t(new WeakMap());
await t(Object.assign(Object.create({ inherited: 1 }), { own: 1 }));
await t({
  get lazy() {
    return 4;
  },
});
await t(new Number(3), new String("x"));
await t({ [Symbol("k")]: 1, k: 2 });
await t(new (class extends Array {})(1, 2, 3));
await t({
  f() {
    return 1;
  },
});
await t(null);
await t(undefined);
await t();
const mm = { q: 1 };
await m(mm);
await t(mm);
await o.execute({ n: 7 }, { toolCallId: "c1" });
for await (const x of g(3)) void x;
s(21);
await step("read", async () => 5);
flag("odd");
identify({ user: "u1", tags: ["a"] });
await branch("k1", async () => t("in branch"));
console.log("done");
