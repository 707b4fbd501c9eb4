// The thread behind `createSender`: follows the spool of its process and sends what has come.
import { parentPort, workerData } from "node:worker_threads";
import { runSender } from "./run-sender.ts";
import type { SenderData, SenderEnding } from "./sender.ts";

const ending = new Promise<SenderEnding>((resolve) => parentPort?.once("message", resolve));
void runSender(workerData as SenderData, ending);
