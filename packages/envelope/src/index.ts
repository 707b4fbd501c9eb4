export { ATTR } from "./attributes.ts";
export { canonicalForm } from "./canonical-form.ts";
export { type CanonicalRequest, canonicalRequest, type Dimensions, type RequestBody } from "./canonical-request.ts";
export { decodeValue } from "./decode-value.ts";
export { digestRequest } from "./digest-request.ts";
export { type EncodedValue, type EncodeOptions, encodeUpTo, encodeValue } from "./encode-value.ts";
export { EnvelopeError, type EnvelopeErrorCode, JsonSyntaxError } from "./envelope-error.ts";
export {
  type ChunkEvent,
  type DrawEvent,
  type DrawLetter,
  type ForeignEvent,
  type JournalEvent,
  type JournalSegment,
  mapJournalStrings,
  type PlainEvent,
} from "./journal-event.ts";
export { JournalWriter } from "./journal-writer.ts";
export { type JsonMember, type JsonNode, member, setOwn, toValue } from "./json-node.ts";
export { makeFolder } from "./make-folder.ts";
export { makeKeyFile } from "./make-key-file.ts";
export { encodeTraces, type SpanOrigin } from "./otlp/encode-traces.ts";
export { contentDigest, type JoinedTraces, joinTraces, type PlacedSpan } from "./otlp/join-traces.ts";
export { encodeJsonTraces, MAX_OTLP_DEPTH, otlpJson, scanJson } from "./otlp/json.ts";
export { decodeResource, decodeScope, encodeResource, encodeScope, type OtlpScope } from "./otlp/resource.ts";
export { placeTraces } from "./otlp/place-traces.ts";
export type { RemoteSpans } from "./otlp/traces-layout.ts";
export { type ScannedSpan, scanTraces } from "./otlp/scan-traces.ts";
export { decodeSpan, encodeSpan, type OtlpSpan, plainSpan } from "./otlp/span.ts";
export { spanMeaning } from "./otlp/span-meaning.ts";
export { badOtlp, WireReader } from "./otlp/wire-reader.ts";
export { WireWriter } from "./otlp/wire-writer.ts";
export { parseJournal } from "./parse-journal.ts";
export { MAX_JSON_DEPTH, parseJson } from "./parse-json.ts";
export type {
  AttributeRef,
  ChunkCut,
  ExchangeEnd,
  HeaderPairs,
  RecordedBody,
  RecordedCall,
  RecordedError,
  RecordedExchange,
  RequestDigests,
  RedactedPlace,
  StepRecord,
} from "./record.ts";
export { recordError, recordErrorAndStack, reviveError } from "./recorded-error.ts";
export { textOf } from "./text-of.ts";
export { type FormPart, multipartBoundary, parseForm } from "./multipart.ts";
export { findTokens, renameTokens, type TokenHit } from "./token.ts";
export { renumberValue } from "./renumber-value.ts";
export { isViewTag, type Placeholder, VALUE_LINES_MIME, VALUE_MIME, type ViewTag, VIEWS } from "./typed-value.ts";
