import { z } from "zod";

const ms = z.number().describe("milliseconds since the epoch");

export const projectTest = z.object({
  name: z.string(),
  file: z.string().describe("path of the fixture's definition, from the folder of the project"),
  run: z.string().nullable().describe("id of the run that it was made of; null: the definition cannot be read"),
  expect: z.enum(["same", "fixed", "accepted"]).nullable().describe("what is expected of the replay; null: as `run`"),
  command: z.string().nullable().describe("line for a terminal that runs this test alone; null: none is known"),
  problem: z.string().nullable().describe("why the fixture cannot be used"),
  last: z
    .object({
      status: z.enum(["passed", "failed"]),
      what: z.string().describe("the outcome in words"),
      cause: z.string().nullable().describe("why the replay first differs from the recorded run"),
      step: z.number().int().nullable().describe("where it first differs"),
      replay: z.string().nullable().describe("id of the run of a replay that failed"),
      at: ms,
      durationMs: z.number(),
      isStale: z.boolean().describe("the fixture has changed since"),
    })
    .nullable()
    .describe("null: no result is known"),
});

export const testsAnswer = z.object({
  schemaVersion: z.literal(1),
  project: z.string().nullable().describe("name of the project's folder; null: this collector runs over no project"),
  command: z.string().describe("line for a terminal that runs all tests"),
  tests: z.array(projectTest).describe("by name"),
});
