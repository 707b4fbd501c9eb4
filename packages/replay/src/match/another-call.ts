import type { RecordedStep } from "../tape/tape.ts";
import type { Asked } from "./asked.ts";
import { recordedDigests, recordedUrl } from "./recorded-request.ts";

/**
 * Whether a request has so little in common with a recorded one that it is another call, not an edited one: it wants a
 * stream where the other did not, or goes to another route.
 */
export function isAnotherCall(asked: Asked, step: RecordedStep): boolean {
  if (step.record.exchange === undefined) return false;
  const [now, recorded] = [asked.digests, recordedDigests(step)];
  if (now.model === undefined || recorded?.model === undefined)
    return routeOf(asked.url) !== routeOf(recordedUrl(step));
  return wantsStream(asked.text) !== wantsStream(step.input);
}

/** The first segment of a path, and the number of segments: what follows may be an id. */
function routeOf(url: string): string {
  const [, path = ""] = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url) ?? [];
  const segments = path.split("/").filter((each) => each !== "");
  return `${segments[0]} ${segments.length}`;
}

function wantsStream(body: string | null): boolean {
  try {
    return (JSON.parse(body ?? "null") as { stream?: unknown } | null)?.stream === true;
  } catch {
    return false;
  }
}
