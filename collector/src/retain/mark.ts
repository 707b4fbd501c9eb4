import { randomBytes } from "node:crypto";
import { z } from "zod";

/** A flag, the feedback of a user, or a score of an evaluation. A run can get marks at any time, also after it is sealed. */
export const mark = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{16}$/),
  kind: z.enum(["flag", "feedback", "score"]),
  /** the flag's reason, or the name of what was rated */
  name: z.string().min(1).max(500),
  /** of feedback and scores */
  value: z.union([z.number(), z.string().max(256)]).optional(),
  /** milliseconds since the epoch */
  at: z.number().nonnegative(),
  /** name of the API key with which the mark was set; absent: the collector has no keys */
  by: z.string().min(1).max(64).optional(),
  /** the run is to be kept, whatever the rules say */
  pinned: z.literal(true).optional(),
});

export type Mark = z.infer<typeof mark>;

export const newMarkId = (): string => randomBytes(8).toString("hex");

export const flagNames = (marks: readonly Mark[]): string[] =>
  marks.flatMap(({ kind, name }) => (kind === "flag" ? [name] : []));
