// Callbacks of timers run in the context in which the timer was made, not in that of what was delivered before.
import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { call, print, said } from "./model.mjs";

const context = new AsyncLocalStorage();
const name = () => context.getStore() ?? "none";

await Promise.all(
  ["a", "b"].map((letter) =>
    context.run(letter, async () => {
      setTimeout(() => said(`timeout ${letter} in ${name()}`), letter === "a" ? 9 : 3);
      setImmediate(() => said(`immediate ${letter} in ${name()}`));
      said(`${await call(`call ${letter}`)} in ${name()}`);
    }),
  ),
);
await sleep(20);
said(`after all ${name()}`);
print();
