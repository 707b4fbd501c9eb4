import { SESSION_ID, TAG_TAGS, USER_ID } from "@arizeai/openinference-semantic-conventions";
import { scrubText, Tally } from "./scrub-exchange.ts";
import type { Scrubber } from "./scrubber.ts";
import type { RunMetadata } from "../run/sink.ts";

/** The metadata of a run, redacted; the root and the sink get the same texts. */
export function scrubMetadata(
  { flags, user, session, tags }: RunMetadata,
  scrubber: Scrubber,
  tally = new Tally(),
): RunMetadata {
  const clean = (key: string, value: string): string => scrubText(scrubber, value, tally, { key });
  return {
    ...(flags !== undefined && { flags: flags.map((flag) => scrubText(scrubber, flag, tally, {})) }),
    ...(user !== undefined && { user: clean(USER_ID, user) }),
    ...(session !== undefined && { session: clean(SESSION_ID, session) }),
    ...(tags !== undefined && { tags: tags.map((tag) => clean(TAG_TAGS, tag)) }),
  };
}
