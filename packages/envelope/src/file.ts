export { type LaneJournal } from "./file/lane-journal.ts";
export { type Envelope, readEnvelope, type ReadOptions } from "./file/read-envelope.ts";
export { HEADER_PREFIX, readHeader, readManifest } from "./file/read-manifest.ts";
export { readRun, type Run, type RunSpan, type RunStep } from "./file/run.ts";
export { spanKind } from "./file/span-kind.ts";
export { spanModel, spanTokens } from "./file/span-usage.ts";
export { type SpanTexts, spanTexts } from "./file/span-texts.ts";
export {
  sealRemote,
  sealTraces,
  type SealOptions,
  writeEnvelope,
  type WrittenEnvelope,
  type WrittenFrames,
} from "./file/write-envelope.ts";
