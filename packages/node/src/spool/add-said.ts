import type { Said } from "@reenact/capture";

/** All that was said of a run so far, with what is said now. Payloads that make no sense are left out. */
export function addSaid(before: Said, now: Said): Said {
  const { user = before.user, session = before.session } = now;
  return {
    flags: [...new Set([...texts(before.flags), ...texts(now.flags)])],
    tags: [...new Set([...texts(before.tags), ...texts(now.tags)])],
    ...(typeof user === "string" && { user }),
    ...(typeof session === "string" && { session }),
  };
}

function texts(given: unknown): string[] {
  return Array.isArray(given) ? given.filter((each) => typeof each === "string") : [];
}
