import type { Scrubber } from "./scrubber.ts";

/** Where the copies of our packages in one process find each other. */
export interface SeamSlot {
  /** the policy that a `RedactionProcessor` has brought */
  scrubber?: Scrubber | null;
  /** a recorder of this process */
  owner?: object;
  /** by the name of a dialect: which copy makes the spans of its calls */
  attached?: Map<string, object>;
}

const SEAM = Symbol.for("reenact.seam/1");

export function seamSlot(): SeamSlot {
  return ((globalThis as { [SEAM]?: SeamSlot })[SEAM] ??= {});
}
