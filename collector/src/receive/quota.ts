/** Limits of one key; an absent limit is unbounded. */
export interface Quota {
  readonly requestsPerSecond?: number | undefined;
  /** as they come, packed */
  readonly bytesPerSecond?: number | undefined;
}
