import { z } from "zod";
import { TEXT_FIELDS } from "../catalog/filter.ts";
import { apiRun } from "./api-schema.ts";

const ms = z.number().describe("milliseconds since the epoch");
const usd = z.number().nullable().describe("US dollars; null: not known");
const filter = z.string().max(10_000).default("").describe("filter expression; empty fits all");
const limit = (most: number, usual: number) => z.coerce.number().int().min(1).max(most).default(usual);

export const seriesQuery = z.strictObject({
  filter,
  from: z.coerce.number().min(0).optional().describe("milliseconds since the epoch; usual: a day before `to`"),
  to: z.coerce.number().min(0).optional().describe("milliseconds since the epoch, not part of it; usual: now"),
  buckets: limit(500, 60),
  by: z.enum(TEXT_FIELDS).optional().describe("one line of points for each value of this field"),
});
export const seriesAnswer = z.object({
  schemaVersion: z.literal(1),
  from: ms,
  to: ms,
  bucketMs: z.number(),
  exact: z.boolean().describe("false: there were so many runs that only the newest count"),
  points: z
    .array(
      z.object({
        at: ms.describe("begin of the bucket; those without a run are left out"),
        group: z.string().nullable(),
        runs: z.number().int(),
        open: z.number().int().describe("of them in no pack yet"),
        failed: z.number().int(),
        aborted: z.number().int(),
        tokens: z.number(),
        cost: usd,
        p50: z.number().nullable().describe("milliseconds, of runs in packs that have ended"),
        p95: z.number().nullable(),
        p99: z.number().nullable(),
      }),
    )
    .max(50_000),
});

const sums = z.object({
  runs: z.number().int(),
  failed: z.number().int(),
  tokens: z.number(),
  cost: usd,
  first: ms.describe("start of the first run"),
  last: ms.describe("start of the last run"),
});
export const sumsQuery = z.strictObject({ filter, limit: limit(1000, 50) });
export const sessionsAnswer = z.object({
  schemaVersion: z.literal(1),
  sessions: z.array(sums.extend({ session: z.string() })),
});
export const usersAnswer = z.object({
  schemaVersion: z.literal(1),
  users: z.array(sums.extend({ user: z.string() })),
});
export const errorsQuery = sumsQuery.extend({
  since: z
    .string()
    .max(200)
    .optional()
    .describe("a version of the program: errors that none had before its first run are new"),
});
export const errorsAnswer = z.object({
  schemaVersion: z.literal(1),
  errors: z.array(
    sums.omit({ tokens: true, cost: true, failed: true }).extend({
      fingerprint: z.string(),
      class: z.string(),
      message: z.string().describe("of the newest run"),
      newest: z.string().describe("id of the newest run"),
      agents: z.array(z.object({ value: z.string(), runs: z.number().int() })),
      versions: z.array(z.object({ value: z.string(), runs: z.number().int() })),
      isNew: z.boolean().nullable().describe("no run from before `since` has it; null: not asked for"),
    }),
  ),
  versions: z
    .array(z.object({ version: z.string(), first: ms.describe("start of its first run") }))
    .describe("that `since` may name, the newest first"),
  since: ms.nullable().describe("start of the first run of that version; null: not asked for, or there is none"),
  exact: z.boolean().describe("false: more runs are open than are known here"),
});

export const memberQuery = z.strictObject({
  limit: limit(1000, 100),
  after: z.string().max(400).optional().describe("`next` of the page before"),
});
const member = {
  schemaVersion: z.literal(1),
  sums: sums.describe("of all its runs in packs"),
  runs: z.array(apiRun).describe("newest start first"),
  next: z.string().nullable(),
};
export const sessionAnswer = z.object({ ...member, session: z.string() });
export const userAnswer = z.object({
  ...member,
  user: z.string(),
  sessions: z.array(sums.extend({ session: z.string() })).describe("the newest ones"),
});
