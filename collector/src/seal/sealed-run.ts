import type { EnvelopeHeader, Manifest, RetentionClass } from "@reenact/envelope/schema";
import type { PackReceipt } from "@reenact/envelope/pack";
import type { RunIndex } from "../catalog/index-run.ts";
import type { RunPart } from "../catalog/run-row.ts";

/** One revision of a run that lies in a pack: what its catalog row is made of. */
export interface SealedRun {
  readonly tenant: string;
  readonly header: EnvelopeHeader;
  /** its list of spans is empty; `flags` include those that were set later */
  readonly manifest: Manifest;
  readonly class: RetentionClass;
  readonly rule: string | null;
  readonly receipt: PackReceipt;
  readonly index: RunIndex;
  readonly part: RunPart;
}
