// Sleeps for two seconds in all, beside a call: a replay does not.
import { setTimeout as sleep } from "node:timers/promises";
import { call, print, said } from "./model.mjs";

await Promise.all([sleep(2000).then(() => said("slept")), call("beside").then(said)]);
print();
