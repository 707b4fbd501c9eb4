import { z } from "zod";
import { apiRun } from "./api-schema.ts";
import { stepLine } from "./step-schema.ts";

const text = z.string().nullable();

/** One entry of a transcript. */
const stepItem = z
  .object({
    is: z.enum(["text", "reasoning", "call", "result"]),
    role: z.enum(["system", "user", "assistant", "tool"]),
    name: text.describe("of the tool that is called, or whose result it is"),
    text: z.string().describe("its begin; of a call the arguments"),
    length: z.number().int().describe("of the whole text, in UTF-16 code units"),
  })
  .meta({ id: "Item" });

const items = {
  input: z.array(stepItem).describe("what the step adds to the conversation: messages since the model's last one"),
  output: z.array(stepItem),
};

export const viewQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(2000).default(500),
  after: z.coerce.number().int().min(0).default(0).describe("steps to pass over: `next` of the page before"),
});
export const viewAnswer = z.object({
  schemaVersion: z.literal(1),
  run: apiRun,
  question: text.describe("begin of the first text of a user"),
  answer: text.describe("begin of the last text of the model"),
  cause: z
    .object({
      step: z.number().int(),
      certain: z.boolean().describe("the run ended with this error; false: it is the last step that failed for good"),
    })
    .nullable()
    .describe("the step to which the failure of the run leads; null: it did not fail, or no step did"),
  failed: z.array(z.number().int()).describe("numbers of all steps that failed, of other pages too"),
  redacted: z.number().int().describe("values that were replaced, in all steps"),
  steps: z.array(
    stepLine.omit({ parts: true, n: true }).extend({
      step: z.number().int().describe("from 1, as the command line counts: the root span of a run is no step"),
      depth: z.number().int().describe("tools and agents that enclose it"),
      ...items,
    }),
  ),
  total: z.number().int(),
  next: z.number().int().nullable().describe("pass it as `after`; null: there are no more"),
});
export const itemsAnswer = z.object({ schemaVersion: z.literal(1), run: z.string(), ...items });

export type ViewStep = z.infer<typeof viewAnswer>["steps"][number];
export type ApiItem = z.infer<typeof stepItem>;
