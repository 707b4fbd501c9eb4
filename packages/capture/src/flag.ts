import { stepFrame } from "./context.ts";
import { guarded } from "./guard.ts";
import { recorder } from "./recorder.ts";
import { seamSlot } from "./seam-slot.ts";
import type { Said } from "./sink.ts";

/** Marks the run for a reason: it is kept like a failed one. Outside a run it does nothing. */
export function flag(reason: string): void {
  guarded("flag", undefined, () => say({ flags: [String(reason)] }));
}

export interface Identity {
  /** who the run is for: `user.id` */
  readonly user?: string;
  /** the conversation that the run belongs to: `session.id` */
  readonly session?: string;
  readonly tags?: readonly string[];
}

/**
 * Says whom and what the run is for, so that it can be found by them; all is redacted like any other text. What is said
 * again replaces what was said before; tags are added. Outside a run it does nothing.
 */
export function identify(identity: Identity): void {
  guarded("identify", undefined, () => {
    const { user, session, tags = [] } = identity;
    say({
      ...(user !== undefined && { user: String(user) }),
      ...(session !== undefined && { session: String(session) }),
      ...(tags.length > 0 && { tags: Array.from(tags, String) }),
    });
  });
}

function say(said: Said): void {
  const frame = stepFrame();
  frame?.run?.say(said, frame.scope);
}

/** This value is secret wherever it appears from now on. */
export function sensitive<T>(value: T): T {
  if (typeof value === "string") (recorder.scrubber ?? seamSlot().scrubber)?.addKnown(value, "SECRET");
  return value;
}
