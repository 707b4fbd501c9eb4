export { type FinishedPack, PackBuilder } from "./pack-builder.ts";
export { PACK_TRAILER, packFooterLength, readPackIndex } from "./pack-footer.ts";
export type { PackEntry, PackIndex, PackReceipt } from "./pack-index.ts";
export { packDay, packKey, packName, parsePackKey, RUNS_PREFIX } from "./pack-name.ts";
export { readPackedEnvelope, reclassEnvelope, walkPack, type WalkedEnvelope } from "./read-pack.ts";
