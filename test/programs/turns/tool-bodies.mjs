// Tool bodies that sleep, draw and call. A served body does none of it, and the program around it must not notice.
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "@reenact/node";
import { call, print, said } from "./model.mjs";

const dice = tool("dice", async () => {
  await sleep(2);
  return [Math.random(), Math.random(), Date.now()];
});
const research = tool("research", async (topic) => `${await call(`about ${topic}`)} ${await sleep(1, Math.random())}`);

const reminder = tool("reminder", async (topic) => {
  setImmediate(() => said(`soon ${Math.random()}`));
  setTimeout(() => said(`late ${topic} ${Math.random()}`), 40);
  void readFile(import.meta.filename).then(() => said("read"));
  return call(`remind of ${topic}`);
});

for (let i = 0; i < 3; i++) {
  const [thrown, found] = await Promise.all([dice(), research(`topic ${i}`), sleep(1)]);
  said(`${thrown} ${found} ${Math.random()} ${Date.now()}`);
}
said(await Promise.all([reminder("one"), reminder("two")]));
said(await call("in between"));
await sleep(100);
print();
