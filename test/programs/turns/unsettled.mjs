// Starts tools and a step that never settle, and ends without them; the first argument names how it ends.
import { agent, step, tool } from "@reenact/node";
import { call } from "./model.mjs";

const [, , ending = "by itself"] = process.argv;
const forever = () => new Promise(() => {});
const never = tool("never", forever);
const ticks = tool("ticks", async function* () {
  yield 1;
  yield 2;
  await forever();
});

async function work() {
  void never("a");
  void step("queue", forever);
  void (async () => {
    for await (const tick of ticks()) console.log("tick", tick);
  })();
  console.log(await call("what is to be done"));
  await new Promise((resolve) => setTimeout(resolve, 20));
  console.log(await call("and then"));
}

if (ending === "an agent") await agent("worker", work)();
else await work();
if (ending === "an exit") process.exit(3);
