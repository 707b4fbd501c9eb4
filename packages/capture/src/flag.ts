import { here } from "./context.ts";
import { recorder } from "./recorder.ts";
import { seamSlot } from "./seam-slot.ts";

/** Marks the run for a reason: it is kept like a failed one. Outside a run it does nothing. */
export function flag(reason: string): void {
  here()?.run?.flags.push(reason);
}

/** This value is secret wherever it appears from now on. */
export function sensitive<T>(value: T): T {
  if (typeof value === "string") (recorder.scrubber ?? seamSlot().scrubber)?.addKnown(value, "SECRET");
  return value;
}
