// Apart from the main entry: it loads the envelope writer, which no agent needs.
export { type HeldRuns } from "./held-runs.ts";
export { launchName } from "./launch-name.ts";
export { type SealedRun } from "./seal-run.ts";
export { type SealOptions, sealSpool } from "./seal-spool.ts";
export { writeWhole } from "./write-whole.ts";
export { stillRecording } from "./still-recording.ts";
export { stillSealing } from "./still-sealing.ts";
