import { z } from "./zod.ts";

/** `[milliseconds since the request, bytes in the chunk, position in the lane's journal]` */
export const chunkCut = z.tuple([z.number(), z.number().int(), z.number().int()]);

/** A reference to an attribute of the same span: no payload is stored twice. */
export const attributeRef = z.looseObject({
  $: z.enum(["input.value", "output.value"]),
  cuts: z.array(chunkCut).optional(),
});

/** Body of an exchange. `text` only if a fatal UTF-8 decode (BOM kept) encodes back to the same bytes. */
export const recordedBody = z.union([
  attributeRef,
  z.looseObject({ text: z.string(), cuts: z.array(chunkCut).optional() }),
  z.looseObject({ base64: z.string(), cuts: z.array(chunkCut).optional() }),
]);

/** Order and case as on the wire. */
export const headerPairs = z.array(z.tuple([z.string(), z.string()]));

export const recordedError: z.ZodType<RecordedError> = z.lazy(() =>
  z.looseObject({
    class: z.string(),
    /** nearest built-in class above `class`, where it is neither that nor `Error` */
    base: z.string().optional(),
    name: z.string(),
    message: z.string(),
    code: z.union([z.string(), z.number()]).optional(),
    status: z.number().optional(),
    /** other own enumerable properties that are JSON scalars */
    own: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
    /** absent: the error had no `cause`; a thrown non-error is `{class: "", raw}`, raw being a JSON scalar or `{$value: typed value}` */
    cause: recordedError.optional(),
    /** typed encoding of the whole error, of what an exchange failed with */
    typed: z.string().optional(),
    raw: z.unknown().optional(),
  }),
);
export interface RecordedError {
  class: string;
  base?: string | undefined;
  name: string;
  message: string;
  code?: string | number | undefined;
  status?: number | undefined;
  own?: Record<string, string | number | boolean | null> | undefined;
  cause?: RecordedError | undefined;
  typed?: string | undefined;
  raw?: unknown;
}

export const exchangeEnd = z.enum(["complete", "error", "cancelled", "open", "aborted"]);

export const recordedExchange = z.looseObject({
  via: z.enum(["fetch", "http", "http2"]),
  request: z.looseObject({
    method: z.string(),
    url: z.string(),
    headers: headerPairs,
    body: recordedBody.optional(),
    /** the body was not sent whole, but so many bytes of it, which are not recorded */
    cut: z.number().int().optional(),
    /** `redirect` of a `fetch`, where it is not `follow` */
    redirect: z.string().optional(),
    /** other options of a `fetch` that are not the default */
    options: z.record(z.string(), z.string()).optional(),
  }),
  /** absent: no head arrived (network error, abort, process death) */
  response: z
    .looseObject({
      status: z.number().int(),
      reason: z.string(),
      headers: headerPairs,
      url: z.string().optional(),
      redirected: z.boolean().optional(),
      type: z.string().optional(),
      /** absent: the response had no body (204, HEAD) */
      body: recordedBody.optional(),
      /** trailers of HTTP/2, without pseudo header fields */
      trailers: headerPairs.optional(),
    })
    .optional(),
  end: exchangeEnd,
  error: recordedError.optional(),
});

export const recordedCall = z.looseObject({
  /** typed encoding (SPEC, typed values) of the argument list */
  args: z.string(),
  /** typed encoding; absent when the function threw or never settled */
  result: z.string().optional(),
  /** typed encoding of what was thrown, so that any value can be */
  error: z.string().optional(),
  /** the value was returned, or the error thrown, in the caller's own turn */
  sync: z.boolean().optional(),
  /** slot number of an earlier step whose very same object was returned */
  same: z.number().int().optional(),
  yields: z.array(z.string()).optional(),
});

export const requestDigests = z.looseObject({
  model: z.string().optional(),
  params: z.string().optional(),
  system: z.string().optional(),
  tools: z.string().optional(),
  messages: z.array(z.string()).optional(),
  body: z.string(),
});

export const redactedPlace = z.looseObject({
  /** JSON pointer into the step; "" for places that are not told apart */
  at: z.string(),
  rule: z.string(),
  type: z.string(),
  n: z.number().int().positive(),
  /** marks of the values as they were written, separated by blanks; of requests and arguments */
  marks: z.string().optional(),
});

/** What redaction replaced in a step, or in a root. */
export const redactionFacts = z.looseObject({
  policy: z.string(),
  rules: z.string(),
  kid: z.string(),
  counts: z.record(z.string(), z.number()),
  /** how many values which rule replaced where; absent: none, or of a root */
  places: z.array(redactedPlace).optional(),
});

export const stepRecord = z.looseObject({
  v: z.literal(1),
  op: z.string(),
  path: z.string(),
  n: z.number().int().nonnegative(),
  attempt: z.number().int().nonnegative(),
  /** number of this step (creation order in its run); journal events name it */
  step: z.number().int().nonnegative(),
  /** the step that contains this one, by number; null at the top */
  under: z.number().int().nullable(),
  /** true: the tool was found in the answer of an LLM step; false: only the occurrence counter places it */
  asked: z.boolean().optional(),
  order: z.looseObject({ start: z.number().int(), settle: z.number().int().optional() }),
  exchange: recordedExchange.optional(),
  call: recordedCall.optional(),
  error: recordedError.optional(),
  model: z
    .looseObject({ asked: z.string().optional(), answered: z.string().optional(), fingerprint: z.string().optional() })
    .optional(),
  digests: requestDigests.optional(),
  journal: z.looseObject({ lane: z.string(), from: z.number().int(), events: z.string() }).optional(),
  redacted: redactionFacts.optional(),
  source: z.string().optional(),
  lossy: z.array(z.string()).optional(),
});

export type AttributeRef = z.infer<typeof attributeRef>;
export type ChunkCut = z.infer<typeof chunkCut>;
export type RecordedBody = z.infer<typeof recordedBody>;
export type HeaderPairs = z.infer<typeof headerPairs>;
export type ExchangeEnd = z.infer<typeof exchangeEnd>;
export type RecordedExchange = z.infer<typeof recordedExchange>;
export type RecordedCall = z.infer<typeof recordedCall>;
export type RequestDigests = z.infer<typeof requestDigests>;
export type RedactedPlace = z.infer<typeof redactedPlace>;
export type StepRecord = z.infer<typeof stepRecord>;
