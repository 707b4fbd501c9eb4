import type { Scrubber } from "./scrubber.ts";
import type { ScrubHint } from "./scrubbed.ts";

/** A path of segments, each scrubbed by itself: its neighbours are no part of the names that the agent chose. */
export function scrubPath(scrubber: Scrubber, path: string, hint?: Pick<ScrubHint, "waits">): string {
  if (path === "") return path;
  return path
    .split("/")
    .map((segment) => scrubber.scrub(segment, hint).text)
    .join("/");
}
