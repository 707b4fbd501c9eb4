// Ends with calls, a stream, a tool and timers in flight.
import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "@reenact/node";
import { call, chunks, print, said } from "./model.mjs";

const slow = tool("slow", () => sleep(5000, "slow"));
const forget = (promise) => void promise.then(said, (e) => said(e.message));
said(await call("first"));
forget(call("in flight", { wait: 3000 }));
forget(slow());
forget(sleep(4000, "timer"));
forget(
  (async () => {
    for await (const chunk of chunks("streamed", { model: "scn-stream-slow" })) said(`chunk ${chunk.length > 0}`);
  })(),
);
await sleep(60);
print();
process.exit(3);
