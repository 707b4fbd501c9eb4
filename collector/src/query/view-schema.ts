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
      answeredBy: text.describe(
        "of a replay that went on beyond its record: recorded, live, edited, run or refused; null: of any other run",
      ),
      ...items,
    }),
  ),
  total: z.number().int(),
  next: z.number().int().nullable().describe("pass it as `after`; null: there are no more"),
});
export const itemsAnswer = z.object({ schemaVersion: z.literal(1), run: z.string(), ...items });

export const stretch = z
  .object({
    text: z.string().describe("part of the text: its beginning, or the place where a changed text first differs"),
    from: z.number().int().describe("where the part begins, in UTF-16 code units"),
    length: z.number().int().describe("of the whole text"),
  })
  .meta({ id: "Stretch" });
const origin = {
  kind: z.enum(["input of the run", "system prompt", "tool definition", "user message", "result", "model output"]),
  step: z.number().int().nullable().describe("the step whose result or output it is; null: of none that is recorded"),
  name: z.string().describe("of a tool or a step; empty: none"),
};

export const contextAnswer = z.object({
  schemaVersion: z.literal(1),
  run: z.string(),
  step: z.number().int(),
  context: z
    .object({
      step: z.number().int().describe("the model call: of a tool's step the one that asked for it"),
      model: text,
      tokens: z.number().int().nullable().describe("of the request, as the provider counted them"),
      before: z.number().int().nullable().describe("the call before it in the conversation; null: there is none"),
      continues: z.boolean().describe("the provider adds messages that it keeps, which no request holds"),
      length: z.number().int().describe("of all texts of the request, in UTF-16 code units"),
      lengthBefore: z.number().int().nullable(),
      texts: z.array(
        z.object({
          status: z.enum(["kept", "added", "removed", "changed"]).describe("against the call before"),
          ...origin,
          is: stretch,
          was: stretch.nullable().describe("of a changed text; null: it did not change"),
        }),
      ),
    })
    .nullable()
    .describe(
      "system prompts, tool definitions and messages that the model read; null: the step is no model call, and none asked for it",
    ),
  calls: z
    .array(
      z.object({
        step: z.number().int(),
        kind: z.string(),
        name: z.string(),
        askedBy: z.number().int().nullable().describe("the model call that asked for it; null: the program made it"),
        values: z.array(
          z.object({
            pointer: z.string().describe("JSON pointer into the arguments"),
            value: z.union([z.string(), z.number(), z.boolean()]).nullable().describe("of a long text its beginning"),
            by: z.enum(["model", "program"]),
            short: z.boolean().describe("short values are found by chance"),
            sources: z.array(
              z.object({
                ...origin,
                pointer: text.describe("where it stands in a text that is JSON; null: in plain text"),
                match: z.enum(["value", "other form", "part"]),
                excerpt: z.string(),
              }),
            ),
          }),
        ),
        more: z.number().int().describe("values that are left out"),
      }),
    )
    .describe("where each value in the arguments of its calls came from; no source: the model made it up or chose it"),
});

export type ContextAnswer = z.infer<typeof contextAnswer>;
export type ViewStep = z.infer<typeof viewAnswer>["steps"][number];
export type ApiItem = z.infer<typeof stepItem>;
export type Stretch = z.infer<typeof stretch>;
