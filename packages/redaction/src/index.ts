export { BlockReader } from "./digest/block-reader.ts";
export { type KnownValue, knownFromEnvironment } from "./detect/secrets/known.ts";
export type { AsyncDetector, Detector, SyncDetector } from "./custom/detector.ts";
export { DETECTOR_MS, type DetectorQueue, detectorQueue, type Verdict } from "./custom/detector-queue.ts";
export { redactTraces } from "./fence/redact-traces.ts";
export { redactingExporter } from "./fence/redacting-exporter.ts";
export { RedactionProcessor } from "./fence/redaction-processor.ts";
export type { AlreadyRedacted } from "./cache/already-redacted.ts";
export type { DestinationPolicy, Policy } from "./policy.ts";
export { RULES, type Rule } from "./policy/rules.ts";
export { ruleReason } from "./policy/rule-reason.ts";
export { type KeyOrigin, loadScopeKey, type ScopeKey } from "./token/scope-key.ts";
export {
  createScrubber,
  type Finding,
  type InspectingScrubber,
  type RedactingScrubber,
  type ScrubberOptions,
} from "./scrubber.ts";
export { isSecretName } from "./names/secret-name.ts";
export { PERSONAL_TYPES } from "./policy/secret-types.ts";
export { lineDigest, MOST_DIGESTS } from "./digest/kept-lines.ts";
export { StreamDigest, type TextFacts } from "./digest/stream-digest.ts";
export { type Alignment, TokenAlignment } from "./token/token-alignment.ts";
export type { Beginning, Held } from "./cache/history.ts";
