// The thread behind `startRedactor`: redacts requests in the order in which they come.
import { parentPort, workerData } from "node:worker_threads";
import { createScrubber, type ScrubberOptions, redactTraces } from "@reenact/redaction";
import type { RedactReply } from "./redactor.ts";

const port = parentPort!;
const scrubber = createScrubber(workerData as ScrubberOptions);

port.on("message", (body: Uint8Array) => {
  let reply: RedactReply;
  try {
    reply = { body: redactTraces(body, scrubber) };
  } catch (error) {
    reply = { why: (error as Error).message };
  }
  port.postMessage(reply);
});
