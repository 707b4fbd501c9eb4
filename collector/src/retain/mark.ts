import { z } from "zod";

/** What people and evaluations say of a run, once or later: a flag, feedback of a user, a score. */
export const mark = z.strictObject({
  kind: z.enum(["flag", "feedback", "score"]),
  /** the flag's reason, or the name of what was rated */
  name: z.string().min(1).max(256),
  /** of feedback and scores */
  value: z.union([z.number(), z.string().max(256)]).optional(),
  /** milliseconds since the epoch */
  at: z.number().nonnegative(),
});

export type Mark = z.infer<typeof mark>;
