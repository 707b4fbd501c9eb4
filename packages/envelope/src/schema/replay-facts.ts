import { z } from "./zod.ts";

/** What a run says of itself as the replay of another (SPEC.md §4); also in its manifest. */
export const replayFacts = z.looseObject({
  /** id of the run that it replays */
  of: z.string(),
  mode: z.string().optional(),
  /** `incomplete` also where the replay was killed before it could say; absent in runs of older versions */
  verdict: z.string().optional(),
  /** it left its record for live calls */
  continued: z
    .looseObject({
      /** so many attempts of steps were as recorded */
      behind: z.number().int().nonnegative(),
      /** `fixed`, `ended`, `broken` or `stopped` */
      outcome: z.string(),
      /** who answered the calls behind that, by their numbers in this run, from 1 */
      answers: z.record(z.string(), z.string()),
    })
    .optional(),
  /** the first cause for which it is not identical */
  divergence: z
    .looseObject({
      /** number of the recorded step, from 1; null: the run as a whole differs */
      step: z.number().int().nullable(),
      slot: z.string().nullable(),
      verdict: z.string(),
      cause: z.string(),
      /** recorded run of the process that differs, where that is another one than `of`; null: it has no record */
      run: z.string().nullable().optional(),
    })
    .optional(),
});

export type ReplayFacts = z.infer<typeof replayFacts>;
