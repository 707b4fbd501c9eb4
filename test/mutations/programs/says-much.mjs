// Writes to standard output and error in many ways, and ends with exit code 3.
// steps: 1, 2, 3 tool t
import fs from "node:fs";
import { tool } from "@reenact/node";
import { Console } from "node:console";
const t = tool("t", async (x) => x);
await t(1);
console.error("err one");
console.warn("warn %s", "x");
process.stderr.write("raw err\n");
process.emitWarning("own warning", { code: "OWN1" });
process.stdout.write("partial");
fs.writeSync(1, " direct\n");
fs.writeSync(2, "direct err\n");
console.table([{ a: 1 }]);
console.group("g");
console.log("inner");
console.groupEnd();
console.count("c");
console.assert(false, "asserted");
console.dir({ a: { b: { c: { d: 1 } } } }, { depth: 0 });
console.trace("traced");
new Console(process.stderr).log("own console");
process.stdout.write(new Uint8Array([255, 254, 10]));
await t(2);
process.stdout.write("\u001b[31mred\u001b[0m\n");
console.log("before");
console.error("between");
console.log("after");
process.on("exit", (c) => {
  console.log("exit", c);
});
process.on("beforeExit", once);
let n = 0;
async function once() {
  if (n++ > 0) return;
  await t(3);
  console.log("late");
}
setTimeout(() => console.log("timer"), 5);
Promise.reject(new Error("handled")).catch((e) => console.log(e.message));
process.exitCode = 3;
