/** `off`: the server has it and this bucket, or these settings, do not. `denied`: the key may not ask. */
export type Feature = "supported" | "off" | "unsupported" | "denied";

/** Optional features of a store. The safety of acknowledged runs does not depend on them. */
export interface StoreFeatures {
  readonly versioning: Feature;
  readonly tagging: Feature;
  /** a legal hold that was set on an object kept it from being removed, until it was taken off */
  readonly objectLock: Feature;
}

export const NO_FEATURES: StoreFeatures = {
  versioning: "unsupported",
  tagging: "unsupported",
  objectLock: "unsupported",
};
