// Several chunks lie ready at once, in two streams that are read beside each other, with work between the reads.
import { call, chunks, hops, print, said } from "./model.mjs";

async function read(name, model, pauses) {
  let n = 0;
  for await (const chunk of chunks(`stream ${name}`, { model })) {
    said(`${name}${n++} ${chunk.length}`);
    await hops(pauses);
    said(`${name} after`);
  }
}

await Promise.all([
  read("a", "scn-ragged", 1),
  read("b", "scn-ragged", 3),
  read("c", "scn-burst", 2),
  read("d", "echo-random", 0),
]);
await Promise.all([read("e", "scn-burst", 5), call("beside", { model: "echo-random" }).then(said)]);
print();
