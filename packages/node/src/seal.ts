// Apart from the main entry: it loads the envelope writer, which no agent needs.
export { type HeldRuns } from "./seal/held-runs.ts";
export { launchName } from "./seal/launch-name.ts";
export { type SealedRun } from "./seal/seal-run.ts";
export { type SealOptions, sealSpool } from "./seal/seal-spool.ts";
export { stillRecording } from "./seal/still-recording.ts";
