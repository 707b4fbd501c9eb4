import { replayFacts } from "./replay-facts.ts";
import { z } from "./zod.ts";

export const runStatus = z.enum(["ok", "failed", "aborted", "suspended"]);
export const retentionClass = z.enum(["short", "sample", "keep"]);

const hex = (digits: number) => z.string().regex(new RegExp(`^[0-9a-f]{${digits}}$`));
const size = z.number().int().nonnegative();

/** First frame of an envelope: enough to list it and to decide whether to read on. */
export const envelopeHeader = z.looseObject({
  run: hex(32),
  revision: size,
  status: runStatus,
  class: retentionClass,
  /** identity: SHA-256 over the digests of the run's spans */
  content: hex(64),
  /** lengths in bytes, of the frame and of what is in it */
  manifest: z.looseObject({ bytes: size, raw: size, sha256: hex(64) }),
  spans: z.looseObject({ bytes: size, raw: size }),
});

export const manifestSpan = z.looseObject({
  id: hex(16),
  parent: z.string().nullable(),
  kind: z.string(),
  name: z.string(),
  /** `path|op|n`; absent for spans that are no steps */
  slot: z.string().optional(),
  attempt: z.number().int().optional(),
  /** where the Span message lies in the TracesData, in bytes */
  offset: size,
  length: size,
  /** first 16 bytes of the SHA-256 of the Span message */
  digest: hex(32),
});

/** Second frame. Times are nanoseconds since the epoch, as decimal strings. */
export const manifest = z.looseObject({
  v: z.literal(1),
  run: hex(32),
  revision: size,
  /** content digest of the revision before this one */
  previous: hex(64).optional(),
  content: hex(64),
  traces: z.array(hex(32)),
  parent: z.string().optional(),
  name: z.string(),
  trigger: z.string().optional(),
  service: z.looseObject({ name: z.string().optional(), version: z.string().optional() }),
  instance: z.string().optional(),
  session: z.string().optional(),
  user: z.string().optional(),
  started: z.string().regex(/^[0-9]+$/),
  /** null: the root has not ended */
  ended: z
    .string()
    .regex(/^[0-9]+$/)
    .nullable(),
  status: runStatus,
  flags: z.array(z.string()),
  /** the retention rule that chose the class when it was sealed; absent: none did */
  rule: z.string().optional(),
  /** names of the tools that ran */
  tools: z.array(z.string()).optional(),
  error: z
    .looseObject({ class: z.string(), message: z.string(), step: z.number().int().optional(), fingerprint: hex(16) })
    .nullable(),
  complete: z.boolean(),
  incompleteReasons: z.array(z.string()),
  /** steps seen, attempts counted one by one; `slots` folds them */
  steps: size,
  slots: size,
  counts: z.record(z.string(), size),
  models: z.array(z.string()),
  /** sums of `llm.token_count.*` */
  tokens: z.record(z.string(), z.number()),
  /** null: not known */
  cost: z.looseObject({ usd: z.number(), prices: z.string() }).nullable(),
  redaction: z.looseObject({
    policies: z.array(z.string()),
    rules: z.array(z.string()),
    kids: z.array(z.string()),
    counts: z.record(z.string(), z.number()),
  }),
  recorder: z.looseObject({ name: z.string(), version: z.string() }).optional(),
  replay: replayFacts.optional(),
  spans: z.array(manifestSpan),
});

export type RunStatus = z.infer<typeof runStatus>;
export type RetentionClass = z.infer<typeof retentionClass>;
export type EnvelopeHeader = z.infer<typeof envelopeHeader>;
export type ManifestSpan = z.infer<typeof manifestSpan>;
export type Manifest = z.infer<typeof manifest>;
