/** Spans, but for `retries`, which counts requests. Since the start of the process. */
export interface ForwardCounts {
  sent: number;
  /** that the destination said it will not take, in an answer of 200 */
  rejected: number;
  deadLettered: number;
  /** that found no room among the dead letters */
  dropped: number;
  retries: number;
}

export const noCounts = (): ForwardCounts => ({ sent: 0, rejected: 0, deadLettered: 0, dropped: 0, retries: 0 });
