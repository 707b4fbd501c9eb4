import { sharedPart } from "../patch/global-registry.ts";

const counter = sharedPart("sequence", () => ({ next: 0 }));

/** Sequence number of a run in its process, from 0; the process's own run is number 0. */
export function nextSequence(): number {
  return counter.next++;
}
