// Answers one message of its parent: started by `usual.mjs`.
import { appendFileSync } from "node:fs";

process.on("message", (asked) => {
  appendFileSync(process.env.LEDGER, "forked\n");
  process.send({ asked, by: process.pid, now: process.hrtime.bigint() });
});
