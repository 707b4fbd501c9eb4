export {
  type EnvelopeHeader,
  envelopeHeader,
  type Manifest,
  manifest,
  type ManifestSpan,
  manifestSpan,
  type RetentionClass,
  retentionClass,
  type RunStatus,
  runStatus,
} from "./manifest.ts";
export { type ModelPrice, modelPrice, type ModelPrices, modelPrices } from "./model-prices.ts";
export { packEntry, packIndex, packReceipt } from "../pack/pack-index.ts";
export {
  attributeRef,
  chunkCut,
  exchangeEnd,
  headerPairs,
  recordedBody,
  recordedCall,
  recordedError,
  recordedExchange,
  requestDigests,
  stepRecord,
} from "./record.ts";
export { type ReplayFacts, replayFacts } from "./replay-facts.ts";
export { type RootFacts, rootFacts } from "./root-facts.ts";
