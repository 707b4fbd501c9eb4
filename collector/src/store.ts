export type { ExpiryRule, NativeExpiry } from "./store/native-expiry.ts";
export { createMemoryStore } from "./store/memory-store.ts";
export type { FileBody, ObjectBody, ObjectHead, ObjectStore, PutOutcome } from "./store/object-store.ts";
export { type OpenedStore, openStore } from "./store/open-store.ts";
export { type ArchivedRun, openRunArchive, type RunArchive, type UnreadablePack } from "./query/run-archive.ts";
export { type ProbeResult, probeStore } from "./store/probe-store.ts";
export type { Feature, StoreFeatures } from "./store/store-features.ts";
export { StoreError, type StoreErrorCode } from "./store/store-error.ts";
