import { retentionClass } from "@reenact/envelope/schema";
import { z } from "zod";

const ms = z.number().describe("milliseconds since the epoch");
const span = z.number().describe("milliseconds");
const scope = z.enum(["ingest", "read", "admin", "metrics"]);

export const settingsAnswer = z.object({
  schemaVersion: z.literal(1),
  retention: z.object({
    short: span,
    sample: span,
    sampleShare: z.number().describe("share of runs"),
    sweepEvery: span.describe("milliseconds; 0: never by itself"),
    local: z
      .string()
      .nullable()
      .describe("folder of runs that are shown beside those of the store, and to which no class applies"),
    rulesFile: z.string().nullable(),
    rules: z.array(
      z.object({ name: z.string(), class: retentionClass, when: z.string().describe("its conditions, as JSON") }),
    ),
  }),
  destinations: z.array(
    z.object({
      name: z.string(),
      url: z.string().describe("without what stands behind ?"),
      view: z.enum(["openinference", "full"]),
      filter: z.string().nullable(),
      classes: z.array(retentionClass).nullable().describe("null: of every class"),
      isRedacted: z.boolean().describe("it has a redaction policy of its own"),
    }),
  ),
  keys: z.object({
    required: z.boolean().describe("false: everybody on this machine may do everything"),
    file: z.string().nullable(),
    keys: z
      .array(
        z.object({
          name: z.string(),
          scopes: z.array(scope),
          requestsPerSecond: z.number().nullable().describe("null: as many as it likes"),
          bytesPerSecond: z.number().nullable(),
        }),
      )
      .describe("of this project; no key itself is known"),
  }),
});

export const payloadReadsQuery = z.strictObject({ limit: z.coerce.number().int().min(1).max(1000).default(100) });
export const payloadReadsAnswer = z.object({
  schemaVersion: z.literal(1),
  since: ms.describe("when this process began to keep them"),
  reads: z
    .array(
      z.object({
        at: ms,
        caller: z.string().describe("name of the key; anybody: no keys are set"),
        run: z.string(),
        what: z.string().describe("view, envelope, step …"),
      }),
    )
    .describe("the newest first; older ones are in the log, as `api.payload-read`"),
});

/** Characters of a text that is tried. */
const MOST_TEXT = 20_000;
export const tryRedactionBody = z.strictObject({
  text: z.string().max(MOST_TEXT),
  mime: z
    .string()
    .regex(/^[\w.+-]{1,60}\/[\w.+-]{1,60}$/, "is no media type")
    .default("text/plain")
    .describe("how the text is read: application/json, text/event-stream, …"),
});
export const tryRedactionAnswer = z.object({
  schemaVersion: z.literal(1),
  text: z.string().describe("as it would be recorded; its tokens are made with a key of this request alone"),
  policy: z
    .enum(["project", "default"])
    .describe("default: the rules without a policy, since the collector knows none"),
  hits: z.array(
    z.object({
      type: z.string(),
      rule: z.string(),
      why: z.string(),
      at: z.string().describe("JSON pointer; empty: the text has no parts"),
      start: z.number().int().describe("UTF-16 units of the given text"),
      end: z.number().int(),
    }),
  ),
});

export type Settings = Omit<z.infer<typeof settingsAnswer>, "schemaVersion">;
export type PayloadRead = z.infer<typeof payloadReadsAnswer>["reads"][number];
