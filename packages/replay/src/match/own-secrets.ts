import { live } from "@reenact/capture/recorder";
import { findTokens } from "@reenact/envelope";
import type { Tape } from "../tape/tape.ts";

/** Shorter values would be found in texts by chance. */
export const SHORTEST_OWN_SECRET = 8;

/** What names a file is no secret of a text: the recorder redacts it under the variable's name only. */
const PATH = /^(?:\.{0,2}\/|~\/|[A-Za-z]:\\)/;

/**
 * Writes the recorded token in the place of a secret of this machine. A variable that the run read as a secret keeps
 * the caller's own value in a replay; a request that carries it carries what the recorded one did.
 */
export type AsRecorded = (text: string) => string;

export function asRecordedBy(tape: Tape): AsRecorded {
  const pairs = live(() =>
    Object.entries(tape.root.environment ?? {}).flatMap(([name, value]): [own: string, recorded: string][] => {
      const own = process.env[name];
      const isOwn = own !== undefined && own !== value && own.length >= SHORTEST_OWN_SECRET && !PATH.test(own);
      return isOwn && typeof value === "string" && findTokens(value).length > 0 ? [[own, value]] : [];
    }),
  );
  // a value that another one contains is replaced after it
  pairs.sort(([a], [b]) => b.length - a.length);
  return pairs.length === 0
    ? (text) => text
    : (text) => pairs.reduce((out, [own, recorded]) => out.replaceAll(own, recorded), text);
}
