import type { Scrubber } from "../redact/scrubber.ts";

/** Where the copies of our packages in one process find each other. */
export interface GlobalRegistry {
  /** the policy that a `RedactionProcessor` has brought */
  scrubber?: Scrubber | null;
  /** a recorder of this process */
  owner?: object;
  /** by the name of a dialect: which copy makes the spans of its calls */
  attached?: Map<string, object>;
  /** what all copies share: a program that brings its own `tool()` must be seen by the recorder that was preloaded */
  parts?: Record<string, unknown>;
}

/** `/1` is the version of what lies there. */
const SEAM = Symbol.for("reenact.seam/1");

export function globalRegistry(): GlobalRegistry {
  return ((globalThis as { [SEAM]?: GlobalRegistry })[SEAM] ??= {});
}

/** The part named `key`, made by the first copy that asks and shared by reference. */
export function sharedPart<T>(key: string, make: () => T): T {
  const parts = (globalRegistry().parts ??= {});
  parts[key] ??= make();
  return parts[key] as T;
}
