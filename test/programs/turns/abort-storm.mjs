// Many calls and streams are given up at once, before, during and after their answers, for a reason of the user's own.
import { setTimeout as sleep } from "node:timers/promises";
import { call, chunks, hops, print, said } from "./model.mjs";

const enough = new Error("enough");

async function outcome(name, promise, signal) {
  try {
    said(`${name} ${await promise}`);
  } catch (error) {
    said(`${name} ${error.name} ${error === signal.reason} ${error.message}`);
  }
}

async function whole(prompt, signal) {
  let n = 0;
  for await (const chunk of chunks(prompt, { model: "scn-ragged", signal })) n += chunk.length;
  return n;
}

const before = AbortSignal.abort(enough);
await outcome("aborted already", Promise.race([call("never sent", { signal: before }), hops(30)]), before);
for (let round = 0; round < 4; round++) {
  const stop = new AbortController();
  const { signal } = stop;
  const storm = [
    ...[1, 2, 3, 4].map((n) => outcome(`call ${n}`, call(`storm ${n}`, { model: "echo-random", signal }), signal)),
    ...[1, 2].map((n) => outcome(`stream ${n}`, whole(`storm ${n}`, signal), signal)),
    outcome("late", call("late", { wait: 200, signal }), signal),
  ];
  signal.addEventListener("abort", () => said(`listener ${round}`));
  await sleep(2 + round * 3);
  process.nextTick(() => said("tick"));
  stop.abort(round % 2 === 0 ? enough : undefined);
  said("aborted");
  await Promise.all(storm);
}
print();
