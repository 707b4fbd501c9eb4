// The transport draws clocks and random values of its own, between those of the program.
import { call, hops, print, said } from "./model.mjs";

for (let i = 0; i < 4; i++) {
  const answer = call(`number ${i}`);
  for (let n = 0; n < 30; n++) {
    await hops(1);
    said(`${performance.now()} ${Math.random()}`);
  }
  said(await answer);
  said(`${performance.now()} ${Date.now()} ${process.hrtime.bigint()}`);
}
print();
