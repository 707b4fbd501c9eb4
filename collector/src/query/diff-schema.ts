import { z } from "zod";
import { apiRun } from "./api-schema.ts";
import { stretch } from "./view-schema.ts";

const id = z.string().regex(/^[0-9a-f]{4,32}$/, "is not 4 to 32 digits of a run's id");
const step = z.number().int().nullable().describe("number of the step in this run, as in its view; null: it has none");
const value = stretch.nullable().describe("text as it is, another value as JSON; null: there is none");

export const diffQuery = z.strictObject({ a: id, b: id });
export const diffAnswer = z.object({
  schemaVersion: z.literal(1),
  a: apiRun,
  b: apiRun,
  complete: z.boolean().describe("false: a run has more steps than were compared"),
  first: z.number().int().nullable().describe("index of the first row that is not the same; null: there is none"),
  summary: z.string().nullable().describe("the first difference in words; null: there is none"),
  rows: z
    .array(
      z.object({
        status: z
          .enum(["same", "changed", "moved", "added", "removed"])
          .describe("moved: the same step, at another place among the others; added: only `b` has it"),
        before: step,
        after: step,
        kind: z.string(),
        name: z.string(),
        changes: z
          .array(
            z.object({
              part: z.enum(["model", "system prompt", "input", "parameters", "output", "status"]),
              pointer: z.string().describe("JSON pointer to the first place that differs; empty text: the whole part"),
              before: value,
              after: value,
            }),
          )
          .describe("the first difference of each part; ids that a provider mints anew at each call are none"),
      }),
    )
    .describe("in the order of `b`, what it lacks where it stood in `a`"),
});
