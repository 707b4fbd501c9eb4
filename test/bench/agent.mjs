// agent.mjs <recorder>: makes the calls that its parent asks for, under one recorder, and says what they took. `nothing` and
// `reenact` are the same program; the latter is started with the preload.
import { makeCalls, pause } from "./make-calls.mjs";
import { recorders } from "./recorders.mjs";
import { threadTime } from "./thread-time.mjs";

const { cpu } = globalThis[Symbol.for("reenact.bench")];
/** milliseconds in which a recorder that has no flush sends what it has */
const BEHIND = 300;

const { client, flush } = await recorders[process.argv[2]]();
process.on("message", (job) => void answer(job));
process.send("ready");

async function answer(job) {
  process.send(await work(job));
}

/**
 * Gives microseconds of the agent's thread and of the process for all calls together: `returned` until each call has returned, `thread`
 * and `process` with the flush behind the last of them. `memory` is what the process has, in bytes.
 */
async function work(job) {
  let from;
  const returned = await makeCalls(client, job, () => (from = { thread: threadTime(), process: total(cpu()) }));
  await flush();
  await pause(BEHIND);
  const memory = process.memoryUsage.rss();
  return { returned, thread: threadTime() - from.thread, process: total(cpu()) - from.process, memory };
}

function total({ user, system }) {
  return user + system;
}
