export { ATTR, UNREAD_TEXTS } from "./schema/attributes.ts";
export { canonicalForm } from "./request/canonical-form.ts";
export {
  type CanonicalRequest,
  canonicalRequest,
  type Dimensions,
  type RequestBody,
} from "./request/canonical-request.ts";
export { errorCode, isSystemError } from "./value/error-code.ts";
export { decodeValue, type DecodeOptions } from "./value/decode-value.ts";
export { builtInBase, classNames, type ErrorClass, type FindErrorClass, isLookAlike } from "./value/error-class.ts";
export { beginsAsMedia } from "./value/media-bytes.ts";
export { isOwnErrorClass } from "./value/own-error-class.ts";
export { digestRequest } from "./request/digest-request.ts";
export { type EncodedValue, type EncodeOptions, encodeUpTo, encodeValue } from "./value/encode-value.ts";
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
} from "./journal/journal-event.ts";
export { type JournalPart, JournalWriter } from "./journal/journal-writer.ts";
export { type JsonMember, type JsonNode, member, setOwn, toValue } from "./json/json-node.ts";
export { makeFolder } from "./folder/make-folder.ts";
export { makeKeyFile } from "./folder/make-key-file.ts";
export { endTime } from "./otlp/end-time.ts";
export { encodeTraces, type SpanOrigin } from "./otlp/encode-traces.ts";
export { contentDigest, type JoinedTraces, joinTraces, type PlacedSpan } from "./otlp/join-traces.ts";
export { encodeJsonTraces, MAX_OTLP_DEPTH, otlpJson, scanJson } from "./otlp/json.ts";
export { decodeResource, decodeScope, encodeResource, encodeScope, type OtlpScope } from "./otlp/resource.ts";
export { placeTraces } from "./otlp/place-traces.ts";
export type { RemoteSpans } from "./otlp/traces-layout.ts";
export { type ScannedSpan, scanSpan, scanTraces } from "./otlp/scan-traces.ts";
export { decodeSpan, encodeSpan, type OtlpSpan, plainSpan } from "./otlp/span.ts";
export { spanMeaning } from "./otlp/span-meaning.ts";
export { badOtlp, WireReader } from "./otlp/wire-reader.ts";
export { WireWriter } from "./otlp/wire-writer.ts";
export { parseJournal } from "./journal/parse-journal.ts";
export { MAX_JSON_DEPTH, parseJson } from "./json/parse-json.ts";
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
} from "./schema/record.ts";
export { recordError, recordWholeError, reviveError } from "./value/recorded-error.ts";
export { textOf } from "./request/text-of.ts";
export { type FormPart, multipartBoundary, parseForm } from "./request/multipart.ts";
export { findTokens, renameTokens, type TokenHit } from "./token/token.ts";
export { renumberValue } from "./value/renumber-value.ts";
export { isViewTag, type Placeholder, VALUE_LINES_MIME, VALUE_MIME, type ViewTag, VIEWS } from "./value/typed-value.ts";
