// The thread behind `detectorThread`: the asynchronous detectors of a configuration file, asked by messages.
import { workerData } from "node:worker_threads";
import { detectorQueue, type Verdict } from "@reenact/redaction";
import { loadConfigFile } from "../config/config-file.ts";
import { type DetectorAnswer, type DetectorQuestion, type DetectorWork, READY } from "./detector-work.ts";

const { port, answered, configFile, ms } = workerData as DetectorWork;
const loaded = loadConfigFile(configFile);
const policy = "error" in loaded ? {} : (loaded.config.redaction ?? {});
const detectors = (policy.detectors ?? []).filter((each) => "findLater" in each && !("find" in each));
// without them no answer would be a wrong one
const queue = detectors.length === 0 ? null : detectorQueue(detectors as Parameters<typeof detectorQueue>[0], ms);

port.on("message", ({ id, text }: DetectorQuestion) => {
  if (queue === null) answer(id, null);
  else queue.ask(text, (verdict) => answer(id, verdict));
});
answer(READY, null);

function answer(id: number, verdict: Verdict): void {
  port.postMessage({ id, verdict } satisfies DetectorAnswer);
  Atomics.add(answered, 0, 1);
  Atomics.notify(answered, 0);
}
