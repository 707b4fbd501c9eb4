export { decisionDigest } from "../value/decision-digest.ts";
export { type LaneJournal } from "./lane-journal.ts";
export { isEnvelope, type OtlpRun, otlpRuns } from "./otlp-runs.ts";
export { type Envelope, readEnvelope, type ReadOptions } from "./read-envelope.ts";
export { HEADER_PREFIX, manifestIncludes, readHeader, readManifest } from "./read-manifest.ts";
export { DIED_BEHIND_ANSWER, readRun, type Run, type RunSpan, type RunStep } from "./run.ts";
export { spanKind } from "./span-kind.ts";
export { spanModel, spanTokens, spanTool } from "./span-usage.ts";
export { priceOf, tokenCost } from "./token-cost.ts";
export { type SpanTexts, spanTexts } from "./span-texts.ts";
export {
  sealRemote,
  sealTraces,
  type SealOptions,
  writeEnvelope,
  type WrittenEnvelope,
  type WrittenFrames,
} from "./write-envelope.ts";
