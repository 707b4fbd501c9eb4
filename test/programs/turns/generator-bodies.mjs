// Tools that are generators: what their bodies draw, wait for and call is their own, also between two values.
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "@reenact/node";
import { call, print, said } from "./model.mjs";

const slowly = tool("slowly", async function* (count) {
  for (let n = 0; n < count; n++) {
    await sleep(1 + Math.random() * 3);
    yield { n, chance: Math.random(), at: Date.now() };
  }
  return "enough";
});
const dice = tool("dice", function* (count) {
  for (let n = 0; n < count; n++) yield 1 + Math.floor(Math.random() * 6);
});
const broken = tool("broken", async function* () {
  yield "one";
  await sleep(2);
  throw new RangeError("no more");
});

for await (const { n, chance, at } of slowly(3)) said(`${n} ${chance} ${at} ${Math.random()}`);
said(await call("between"));
for (const eyes of dice(4)) said(`${eyes} ${Math.random()}`);
for await (const { n } of slowly(5)) {
  said(`${n} ${await call("inside")}`);
  if (n === 1) break;
}
try {
  for await (const value of broken()) said(value);
} catch (error) {
  said(`${error.name} ${error.message}`);
}
const [first, second] = [slowly(2), slowly(2)];
const both = await Promise.all([first.next(), second.next(), call("beside")]);
said(JSON.stringify(both));
print();
