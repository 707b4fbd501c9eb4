// Dies by SIGKILL while its first call is under way. With an argument it ends at its start instead.
import { setTimeout as sleep } from "node:timers/promises";
import { call } from "./model.mjs";

if (process.argv[2] !== undefined) process.exit(1);
void call("never answered", { wait: 5000 });
await sleep(50);
process.kill(process.pid, "SIGKILL");
