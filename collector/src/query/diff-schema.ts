import { z } from "zod";
import { apiRun } from "./api-schema.ts";

const id = z.string().regex(/^[0-9a-f]{4,32}$/, "is not 4 to 32 digits of a run's id");
const n = z.number().int().nullable().describe("number of the step in this run; null: it has none");

export const diffQuery = z.strictObject({ a: id, b: id });
export const diffAnswer = z.object({
  schemaVersion: z.literal(1),
  a: apiRun,
  b: apiRun,
  same: z
    .boolean()
    .describe("no part, status or error of a step differs, and none is in one run only; nothing else is compared"),
  complete: z.boolean().describe("false: a run has more steps than were compared"),
  first: z.number().int().nullable().describe("index of the first step that differs; null: none does"),
  steps: z.array(
    z.object({
      is: z.enum(["same", "changed", "only-a", "only-b"]),
      a: n,
      b: n,
      kind: z.string(),
      name: z.string(),
      slot: z.string().nullable(),
      changes: z
        .array(
          z.object({
            part: z.string().describe("name of the part, or status, or failure"),
            pointers: z.array(z.string()).describe("JSON pointers to at most 20 places; empty text: the whole value"),
          }),
        )
        .describe("what differs"),
    }),
  ),
});
