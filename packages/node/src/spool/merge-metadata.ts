import type { RunMetadata } from "@reenact/capture/recorder";

/** All that was said of a run so far, with what is said now. What makes no sense is left out. */
export function mergeMetadata(before: RunMetadata, now: RunMetadata): RunMetadata {
  const user = isText(now.user) ? now.user : before.user;
  const session = isText(now.session) ? now.session : before.session;
  return {
    flags: [...new Set([...texts(before.flags), ...texts(now.flags)])],
    tags: [...new Set([...texts(before.tags), ...texts(now.tags)])],
    ...(user !== undefined && { user }),
    ...(session !== undefined && { session }),
  };
}

const isText = (given: unknown): given is string => typeof given === "string";
const texts = (given: unknown): string[] => (Array.isArray(given) ? given.filter(isText) : []);
