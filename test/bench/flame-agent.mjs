// flame-agent.mjs <file> <times> <kind…>: makes calls of each kind on a thread that is profiled, and writes the profile as V8 gives it.
import { writeFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import { makeCalls } from "./make-calls.mjs";
import { plainClient } from "./plain-client.mjs";

const [file, times, ...kinds] = process.argv.slice(2);
const client = plainClient();
for (const kind of kinds) await makeCalls(client, { kind, calls: 40, chunks: 0 });
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.setSamplingInterval", { interval: 100 });
await session.post("Profiler.start");
for (const kind of kinds) await makeCalls(client, { kind, calls: Number(times), chunks: 0 });
const { profile } = await session.post("Profiler.stop");
writeFileSync(file, JSON.stringify(profile));
process.exit();
