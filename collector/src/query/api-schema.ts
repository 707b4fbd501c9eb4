import { retentionClass, runStatus } from "@reenact/envelope/schema";
import { z } from "zod";
import { parseDuration } from "../duration.ts";
import { RUN_ORDERS } from "../catalog/page-cursor.ts";
import { LIST_FIELDS, TEXT_FIELDS } from "../catalog/filter.ts";

const text = z.string().nullable();
const ms = z.number().describe("milliseconds since the epoch");

/** A run as the API shows it: the catalog's row, but for where it lies. */
export const apiRun = z
  .object({
    run: z.string(),
    revision: z.number().int(),
    state: z.enum(["open", "sealed"]).describe("an open run may still get spans; nothing of it is final"),
    class: retentionClass,
    rule: text.describe("the retention rule that chose the class"),
    project: text,
    name: z.string(),
    service: text,
    version: text,
    instance: text,
    session: text,
    user: text,
    trigger: text,
    parent: text,
    replayOf: text.describe("the run that this one replays"),
    replay: z
      .object({
        verdict: text.describe("identical, diverged or incomplete; null: not known"),
        cause: text.describe("the first cause for which it is not identical"),
        step: z.number().int().nullable().describe("number of the recorded step, from 1"),
      })
      .nullable()
      .describe("what the replay said; null: it is none"),
    status: runStatus,
    complete: z.boolean(),
    incompleteReasons: z.array(z.string()),
    error: z.object({ class: z.string(), message: z.string(), fingerprint: z.string() }).nullable(),
    flags: z.array(z.string()),
    tags: z.array(z.string()),
    models: z.array(z.string()),
    tools: z.array(z.string()),
    traces: z.array(z.string()),
    started: ms,
    ended: ms.nullable(),
    durationMs: z.number().nullable(),
    received: ms.describe("milliseconds since the epoch, by the collector's clock"),
    steps: z.number().int(),
    llm: z.number().int(),
    toolCalls: z.number().int(),
    tokens: z.number(),
    tokenKinds: z
      .record(z.string(), z.number())
      .describe("tokens by kind: prompt, completion, prompt_details.cache_read, …; empty: not known"),
    errors: z
      .number()
      .int()
      .nullable()
      .describe("steps that ended in an error, survived ones included; null: not known"),
    question: text.describe("begin of the first text of a user, as one line; null: not known"),
    answer: text.describe("begin of the last text of the model, as one line; null: not known"),
    cost: z.number().nullable().describe("US dollars; null: not known"),
    bytes: z.number().int().describe("stored, of all revisions; 0: in no pack yet"),
  })
  .meta({ id: "Run" });

export const apiError = z
  .object({
    schemaVersion: z.literal(1),
    error: z.object({
      code: z.string(),
      message: z.string(),
      next: z.string(),
      at: z.number().int().optional().describe("character of the filter at which it is wrong, from 0"),
    }),
  })
  .meta({ id: "Error" });

const filter = z.string().max(10_000).default("").describe("filter expression; empty fits all");
const at = z.string().max(100).optional().describe("under way then: 2026-11-20T16:00Z±1h");
const limit = (most: number, usual: number) => z.coerce.number().int().min(1).max(most).default(usual);
const facetField = z.enum([...TEXT_FIELDS, ...LIST_FIELDS]);

const local = z
  .enum(["true", "false"])
  .default("true")
  .transform((word) => word === "true")
  .describe("false: without the runs of the local folder that a collector shows beside those that it has received");

export const runQuery = z.strictObject({ local });
export const runsQuery = z.strictObject({
  filter,
  at,
  limit: limit(1000, 50),
  after: z.string().max(400).optional(),
  local,
  order: z.enum(RUN_ORDERS).default("started").describe("the greatest first, what is not known last"),
});
const last = z
  .string()
  .max(64)
  .optional()
  .describe("id of the last event, for a client that cannot send `Last-Event-ID`; the header comes first");
export const watchQuery = z.strictObject({ filter, last });
export const watchRunQuery = z.strictObject({ last });
export const runsAnswer = z.object({
  schemaVersion: z.literal(1),
  runs: z.array(apiRun),
  next: text.describe("pass it as `after`; null: there are no more"),
  count: z.object({ value: z.number().int(), exact: z.boolean() }),
});
export const runAnswer = z.object({ schemaVersion: z.literal(1), run: apiRun });
export const markAnswer = z.object({
  schemaVersion: z.literal(1),
  applied: z.boolean().describe("false: it is on disk, and the run gets it when it is sealed"),
  mark: z.string().describe("id of the mark that was added or removed"),
  run: apiRun,
});
export const marksAnswer = z.object({
  schemaVersion: z.literal(1),
  run: z.string(),
  marks: z.array(
    z.object({
      id: z.string().describe("it is removed by it"),
      kind: z.enum(["flag", "feedback", "score"]),
      name: z.string().describe("reason of the flag, or what was rated"),
      value: z.union([z.number(), z.string()]).nullable(),
      at: ms,
      by: text.describe("name of the key with which it was added; null: not known"),
      pinned: z.boolean().describe("the run is kept for ever"),
      removed: z
        .object({ at: ms, by: text.describe("name of the key; null: not known") })
        .nullable()
        .describe("when it was removed: it counts for nothing since; null: it holds"),
    }),
  ),
});
const feature = z.enum(["supported", "off", "unsupported", "denied"]);
const storeFacts = z.object({
  place: z.string(),
  conditionalWrites: feature.describe("one winner in each race of writers; without it no collector starts"),
  lifecycle: feature.describe("the store expires packs itself, behind the sweep"),
  versioning: feature,
  tagging: feature,
  objectLock: feature.describe("a legal hold that was set in the probe kept its object from being removed"),
});
export const storeAnswer = z.object({ schemaVersion: z.literal(1), store: storeFacts });
export const whoAnswer = z.object({
  schemaVersion: z.literal(1),
  key: z.string().describe("name of the key; anybody: no keys are set"),
  project: z.string().describe("whose runs it sees"),
  scopes: z.array(z.enum(["ingest", "read", "admin", "metrics"])),
  version: z.string().describe("of the collector"),
  capabilities: z.array(z.string()).describe("the operations that it has"),
});
export const sessionBody = z.strictObject({ key: z.string().min(1).max(512) });
export const linkBody = z.strictObject({
  code: z.string().min(1).max(100).describe("what stands behind `#login=` in the link"),
});
export const signedOutAnswer = z.object({ schemaVersion: z.literal(1), signedOut: z.literal(true) });
export const facetsQuery = z.strictObject({
  filter,
  at,
  limit: limit(100, 20),
  fields: z
    .string()
    .default("status,name,model,tool")
    .transform((list, context) => {
      const parsed = z.array(facetField).max(TEXT_FIELDS.length).safeParse(list.split(","));
      if (parsed.success) return parsed.data;
      context.addIssue({ code: "custom", message: `has a field that is none of ${facetField.options.join(", ")}` });
      return z.NEVER;
    }),
});
export const facetsAnswer = z.object({
  schemaVersion: z.literal(1),
  facets: z.record(z.string(), z.array(z.object({ value: z.string(), runs: z.number().int() }))),
  exact: z.boolean().describe("false: more runs are open than are known here"),
});

export const keepBody = z.strictObject({ reason: z.string().max(500).default("kept by hand") });
export const flagBody = z.strictObject({ reason: z.string().min(1).max(500) });
export const feedbackBody = z.strictObject({
  kind: z.enum(["feedback", "score"]).default("feedback").describe("of a user, or of an evaluation"),
  name: z.string().min(1).max(256).default("user").describe("what was rated"),
  value: z.union([z.number(), z.string().max(256)]),
});
const amount = z.object({ packs: z.number(), runs: z.number(), bytes: z.number() });
const amounts = z.object({ short: amount, sample: amount, keep: amount });
export const unsealedAnswer = z.object({
  schemaVersion: z.literal(1),
  runs: z.array(
    z.object({
      run: z.string(),
      key: z.string().describe("of the object in the store: its spans as one OTLP TracesData message"),
      bytes: z.number().int(),
      at: ms,
    }),
  ),
});
const keptFor = z
  .string()
  .max(20)
  .transform((text, context) => {
    const parsed = parseDuration(text);
    if (parsed !== null) return parsed;
    context.addIssue({ code: "custom", message: "is no duration: 12h, 30d" });
    return z.NEVER;
  })
  .optional();
export const retentionQuery = z.strictObject({
  short: keptFor.describe("what if this class were kept for so long: 12h, 30d"),
  sample: keptFor.describe("the same of this class"),
  sampleShare: z.coerce
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      "what if this share of runs went into `sample`: for the prediction alone, since runs keep the class that they have",
    ),
});
const prediction = z.object({
  bytesPerDay: z.number().describe("that come, by the last days"),
  bytes: z.number().describe("short, sample: once as much goes as comes; keep: in a year"),
  usdPerMonth: z.number().describe("for these bytes"),
});
export const retentionAnswer = z.object({
  schemaVersion: z.literal(1),
  times: z.object({ short: z.number(), sample: z.number() }).describe("by which this was judged, milliseconds"),
  predicted: z.object({ short: prediction, sample: prediction, keep: prediction }),
  goes: amounts.describe("what a sweep at this moment would remove"),
  stays: amounts,
  usdPerMonth: z.object({ goes: z.number(), stays: z.number() }),
  price: z.object({ usdPerGbMonth: z.number(), source: z.string() }).describe("of 10⁹ bytes for a month"),
});

export type StoreFacts = z.infer<typeof storeFacts>;
export type ApiRun = z.infer<typeof apiRun>;
