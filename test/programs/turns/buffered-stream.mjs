// A stream whose chunks pile up while a synchronous loop holds the turn, read beside other work.
import { setTimeout as sleep } from "node:timers/promises";
import { call, chunks, hops, print, said } from "./model.mjs";

function hold(ms) {
  const until = performance.now() + ms;
  let n = 0;
  while (performance.now() < until) n++;
  return n > 0;
}

async function read(name, model) {
  for await (const chunk of chunks(name, { model })) {
    said(`${name} ${chunk.length} ${hold(1)}`);
    await hops(2);
  }
}

await Promise.all([
  read("ragged", "scn-ragged"),
  read("random", "echo-random"),
  call("beside", { model: "echo-random" }).then((t) => said(`${t} ${hold(8)}`)),
  sleep(3).then(() => said(`held ${hold(12)}`)),
]);
print();
