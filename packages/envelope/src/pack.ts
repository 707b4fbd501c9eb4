export { type FinishedPack, PackBuilder } from "./pack/pack-builder.ts";
export { PACK_TRAILER, packFooterLength, readPackIndex } from "./pack/pack-footer.ts";
export type { PackEntry, PackIndex, PackReceipt } from "./pack/pack-index.ts";
export { packDay, packKey, packName, parsePackKey, RUNS_PREFIX } from "./pack/pack-name.ts";
export { readPackedEnvelope, reclassEnvelope, walkPack, type WalkedEnvelope } from "./pack/read-pack.ts";
