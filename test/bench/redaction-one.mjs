// One tool on one text, in a thread that can be ended: nanoseconds of processor time per byte, the least of two.
import { parentPort, workerData } from "node:worker_threads";
import { TOOLS } from "./redaction-tools.mjs";
import { SHAPES } from "./redaction-shapes.mjs";
import { threadTime } from "./thread-time.mjs";

const { tool, shape, bytes } = workerData;
const { text } = TOOLS[tool];
const make = SHAPES[shape][1];
await text(make(1024, 1));
let least = Infinity;
for (const seed of [2, 3]) {
  const given = make(bytes, seed);
  const before = threadTime();
  await text(given);
  least = Math.min(least, (1000 * (threadTime() - before)) / given.length);
}
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a thread has none
parentPort.postMessage(least);
