export { agent, branch, flag, identify, type Identity, input, sensitive, step, tool } from "@reenact/capture";
export { instrument, type InstrumentOptions } from "./instrument.ts";
export { type Config, readConfig } from "./config.ts";
export { type ConfigFile, defineConfig } from "./config-file.ts";
export { currentRecording, type Recording, type RecordingOptions, startRecording } from "./recording.ts";
export { type StoreLayout, storeLayout } from "./store-layout.ts";
export { loadScopeScrubber, type ScopeScrubber } from "./scope-scrubber.ts";
export { dialects } from "./lazy-packages.ts";
