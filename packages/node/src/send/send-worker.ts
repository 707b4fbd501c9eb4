// The thread behind `createSender`: follows the spool of its process and sends what has come.
import { parentPort, workerData } from "node:worker_threads";
import { runSender } from "./run-sender.ts";
import type { SenderData, SenderEnding, SenderFlush } from "./sender.ts";

const { promise: ending, resolve } = Promise.withResolvers<SenderEnding>();
const sender = runSender(workerData as SenderData, ending);
parentPort?.on("message", (message: SenderEnding | SenderFlush) => {
  if (!("flush" in message)) return resolve(message);
  // never rejects
  void sender.flush().then(() => parentPort?.postMessage(message, []));
});
void sender.over.then(() => parentPort?.close());
