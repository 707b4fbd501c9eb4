import { z } from "zod";
import { apiRun } from "./api-schema.ts";

const ms = z.number().describe("milliseconds since the epoch, with fractions");
const text = z.string().nullable();

/** A value of a step that is read by its digest. */
export const partInfo = z
  .object({
    name: z
      .string()
      .describe("input, output, request, response, arguments, result, error, yields, record, span, or attribute.<key>"),
    digest: z.string().describe("SHA-256 of the bytes, hex; its address"),
    bytes: z.number().int(),
    type: z.string().describe("media type, as it is served"),
  })
  .meta({ id: "Part" });

export const tokens = z
  .record(z.string(), z.number())
  .describe("by kind: prompt, completion, total, prompt_details.cache_read, prompt_details.cache_write, …");

/** One line of a run's tree. */
export const stepLine = z
  .object({
    id: z.string().describe("of its span, 16 hex digits"),
    n: z.number().int().describe("from 1, by start; in an open run it may still change"),
    parent: text.describe("id of the step above; null: at the top, or not received"),
    kind: z.string().describe("LLM, TOOL, AGENT, …; empty: it has no word for it"),
    name: z.string(),
    slot: text.describe("path|operation|occurrence; null: no step of a recorder of ours"),
    attempt: z.number().int().nullable(),
    status: z.enum(["ok", "failed", "open"]),
    error: z.object({ class: z.string(), message: z.string() }).nullable(),
    started: ms,
    ended: ms.nullable(),
    durationMs: z.number().nullable(),
    firstChunkMs: z.number().nullable().describe("from the request to the first chunk of a streamed answer"),
    model: text,
    tokens,
    cost: z.number().nullable().describe("US dollars; null: not known"),
    redactions: z.number().int().describe("values that were replaced"),
    parts: z.array(partInfo).describe("what went in and came out; its bytes are asked for by digest"),
  })
  .meta({ id: "Step" });

export const treeQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(20_000).default(10_000),
  after: z.coerce.number().int().min(0).default(0).describe("`n` of the last step that is known"),
});
export const treeAnswer = z.object({
  schemaVersion: z.literal(1),
  run: apiRun,
  steps: z.array(stepLine),
  total: z.number().int(),
  next: z.number().int().nullable().describe("pass it as `after`; null: there are no more"),
});

const headers = z.array(z.tuple([z.string(), z.string()]));
export const stepAnswer = z.object({
  schemaVersion: z.literal(1),
  run: z.string(),
  step: stepLine.omit({ parts: true }).extend({
    parts: z.array(partInfo).describe("all of them: long attributes, the whole record and the span, too"),
    attributes: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .describe("numbers, truth values and texts of at most 256 characters; longer ones are parts"),
    exchange: z
      .object({
        method: z.string(),
        url: z.string(),
        requestHeaders: headers,
        status: z.number().int().nullable().describe("null: no answer came"),
        responseHeaders: headers,
        end: z.string(),
        chunks: z.number().int(),
      })
      .nullable(),
    redacted: z.array(z.object({ at: z.string(), rule: z.string(), type: z.string(), n: z.number().int() })),
    source: text.describe("the line of the program that made it"),
    lossy: z.array(z.string()).describe("what the recorder could not keep of it"),
  }),
});

export type PartInfo = z.infer<typeof partInfo>;
export type StepLine = z.infer<typeof stepLine>;
