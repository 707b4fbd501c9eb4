import { stepFrame } from "../run/context.ts";
import { guarded } from "../fault/faults.ts";
import { recorder } from "../run/recorder.ts";
import { globalRegistry } from "../patch/global-registry.ts";
import type { RunMetadata } from "../run/sink.ts";

/**
 * Flags the current run, so that it is kept as long as a failed one. Does nothing outside a run. Flags add up.
 *
 * @param reason what people read in the list of runs; redacted like any other text
 */
export function flag(reason: string): void {
  guarded("flag", undefined, () => annotate({ flags: [String(reason)] }));
}

export interface Identity {
  /** the user that the run serves: attribute `user.id` */
  readonly user?: string;
  /** the conversation that the run belongs to: `session.id` */
  readonly session?: string;
  readonly tags?: readonly string[];
}

/**
 * Tags the current run with its user, session and tags, so that you can search for it by them. All of them are redacted like
 * any other text. A second call replaces user and session, and adds tags. Does nothing outside a run.
 */
export function identify(identity: Identity): void {
  guarded("identify", undefined, () => {
    const { user, session, tags = [] } = identity;
    annotate({
      ...(user !== undefined && { user: String(user) }),
      ...(session !== undefined && { session: String(session) }),
      ...(tags.length > 0 && { tags: Array.from(tags, String) }),
    });
  });
}

function annotate(metadata: RunMetadata): void {
  const frame = stepFrame();
  frame?.run?.annotate(metadata, frame.scope);
}

/**
 * Declares a text to be a secret: from now on it is redacted wherever it appears.
 *
 * @returns the value itself
 */
export function sensitive<T>(value: T): T {
  if (typeof value === "string") (recorder.scrubber ?? globalRegistry().scrubber)?.addKnown(value, "SECRET");
  return value;
}
