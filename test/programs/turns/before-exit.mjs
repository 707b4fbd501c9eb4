// Work that starts in beforeExit, twice: a turn that no delivery began.
import { tool } from "@reenact/node";
import { call, hops, print, said } from "./model.mjs";

const instant = tool("instant", async (x) => `instant ${x}`);
said(await call("before"));

let rounds = 0;
process.on("beforeExit", () => {
  if (rounds++ === 2) print();
  if (rounds > 2) return;
  const first = Promise.race([instant(rounds), hops(12)]);
  setTimeout(async () => said(`then ${await call(`after ${await first}`)}`), 1);
  first.then(said);
});
