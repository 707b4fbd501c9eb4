import { hash, randomBytes } from "node:crypto";
import { z } from "zod";

/** What people and evaluations say of a run, once or later: a flag, feedback of a user, a score. */
export const mark = z.strictObject({
  /** absent in those of older collectors: `markId` makes one of what it says */
  id: z
    .string()
    .regex(/^[0-9a-f]{16}$/)
    .optional(),
  kind: z.enum(["flag", "feedback", "score"]),
  /** the flag's reason, or the name of what was rated */
  name: z.string().min(1).max(500),
  /** of feedback and scores */
  value: z.union([z.number(), z.string().max(256)]).optional(),
  /** milliseconds since the epoch */
  at: z.number().nonnegative(),
  /** name of the key with which it was said; absent: no keys are set, or an older collector took it */
  by: z.string().min(1).max(64).optional(),
  /** the run is to be kept, whatever the rules say */
  pinned: z.literal(true).optional(),
});

export type Mark = z.infer<typeof mark>;

export const newMarkId = (): string => randomBytes(8).toString("hex");

/** Equal for equal marks: one that was taken before a crash may come again. */
export function markId({ id, kind, name, value, at, by, pinned }: Mark): string {
  return id ?? hash("sha256", JSON.stringify([kind, name, value, at, by, pinned])).slice(0, 16);
}

export const flagNames = (marks: readonly Mark[]): string[] =>
  marks.flatMap(({ kind, name }) => (kind === "flag" ? [name] : []));
