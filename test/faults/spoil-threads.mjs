// Loaded before the recorder. `SPOIL_THREADS` says what happens to its redaction threads: `off` (none can be started), `killed` (each is
// ended at a random moment), `slow` (what they are asked reaches them late).
import worker from "node:worker_threads";
import { syncBuiltinESMExports } from "node:module";

/** A thread needs up to a second to start. */
const MOST_MS = { killed: 4000, slow: 120 };
const how = process.env.SPOIL_THREADS;
const { Worker } = worker;
const random = Math.random;
const wait = setTimeout;

worker.Worker = class extends Worker {
  constructor(file, options) {
    const isRedaction = String(options?.name).startsWith("reenact-redaction");
    if (isRedaction && how === "off") throw new Error("no thread is to be had");
    super(file, options);
    if (isRedaction && how === "killed") wait(() => void this.terminate(), random() * MOST_MS.killed).unref();
    if (isRedaction && how === "slow") slowDown(this);
  }
};
syncBuiltinESMExports();

/** What it is asked keeps its order. */
function slowDown(thread) {
  const asked = [];
  const post = () => Worker.prototype.postMessage.call(thread, ...asked.shift());
  thread.postMessage = (...message) => {
    asked.push(message);
    wait(post, (0.5 + random() / 2) * MOST_MS.slow).unref();
  };
}
