// Loops that poll with setImmediate, timers and ticks until a call has answered: the number of rounds is kept.
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { call, print, said } from "./model.mjs";

function watched(promise) {
  const state = { done: false };
  promise.finally(() => (state.done = true));
  return state;
}

const first = call("first", { model: "echo-random" });
const state = watched(first);
let rounds = 0;
await new Promise((resolve) => {
  const poll = () => (state.done || ++rounds === 2000 ? resolve() : setImmediate(poll));
  poll();
});
said(`${rounds} immediates, ${await first}`);

const second = call("second", { model: "echo-random" });
const other = watched(second);
rounds = 0;
while (!other.done && rounds < 2000) {
  await turn();
  rounds++;
}
said(`${rounds} turns, ${await second}`);

const third = call("third", { model: "echo-random" });
const last = watched(third);
rounds = 0;
while (!last.done) {
  await sleep(1);
  rounds++;
}
said(`${rounds} sleeps, ${await third}`);
print();
