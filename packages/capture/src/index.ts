export { hostnameRead } from "./ambient/machine.ts";
export {
  environmentNames,
  environmentReads,
  showEnvironment,
  type ShownEnvironment,
  watchEnvironment,
} from "./ambient/environment.ts";
export { agent, isAgent, runAgent } from "./agent.ts";
export { attachInstrumentation, type AttachOptions } from "./attach/attach.ts";
export { branch } from "./branch.ts";
export type { Delivery, DeliveryKind, Gate, TurnKind } from "./gate.ts";
export { TurnBook } from "./turn-book.ts";
export { flag, identify, type Identity, sensitive } from "./flag.ts";
export { here, isLive, live, within, type Frame } from "./context.ts";
export { input } from "./input.ts";
export { install, isRecording, type Installed, type InstallOptions } from "./install.ts";
export { step } from "./outside-read.ts";
export { tool } from "./tool.ts";
export { LiveSource } from "./live-source.ts";
export { recorder, type Recorder } from "./recorder.ts";
export { setActiveSpanLookup } from "./active-span-lookup.ts";
export { Run } from "./run.ts";
export type { RunStart } from "./run-start.ts";
export type { RunEnd } from "./root-span.ts";
export type { Step } from "./step.ts";
export type { Address, Answer, DrawKind, RecordedChunk, Content, SentRequest, Source } from "./source.ts";
export type {
  AnswerText,
  AttributeValue,
  Dialect,
  Operation,
  RequestHead,
  StepKind,
  ToolAsk,
  View,
} from "./dialect.ts";
export { SAID_ATTRIBUTES, saidAttributes, saidOf } from "./said-attributes.ts";
export { scrubSaid } from "./scrub-said.ts";
export type { SaidScopes } from "./run-said.ts";
export type { EndedSpan, RunFacts, Said, Sink, StepFacts } from "./sink.ts";
export type { Edit, RedactedPlace, Scrubbed, Scrubber, ScrubHint } from "./scrubber.ts";
export { mayBeKept, type Originals, originalsOfRead } from "./keep-originals.ts";
export { type ValueMarks, valueMarks } from "./redacted-by.ts";
export { tokenValues } from "./token-values.ts";
export type { KeptResponse, KeptRoot, KeptStep, TokenValues, Vault } from "./vault.ts";
export { onFirstUse } from "./output-stream.ts";
export { orderSend } from "./ambient/datagrams.ts";
export { raise } from "./raise.ts";
export { hasListened, isListening, isOwnAddress, wasOwnAddress } from "./own-ports.ts";
export { originals, epochNow } from "./originals.ts";
export { watchFetch } from "./transport/fetch.ts";
export { journalDelivery } from "./record-gate.ts";
export { digestsOf } from "./digests-of.ts";
export type {
  AnswerDraft,
  BodyDraft,
  DraftText,
  ReadDraft,
  ReadTexts,
  RequestDraft,
  StepDraft,
  StepTexts,
} from "./draft.ts";
export { readTexts, type TextsRead } from "./draft-step.ts";
export { spanOfDraft } from "./span-of-draft.ts";
export { operationOfDraft } from "./recognise.ts";
export { scrubPath } from "./scrub-path.ts";
export { scrubError } from "./scrub-error.ts";
export { plainJson } from "./plain-json.ts";
export { scrubTyped } from "./scrub-typed.ts";
export { valueOfRoot } from "./call-part.ts";
export { digestHeader } from "./digest-header.ts";
export { thrownMessage } from "./thrown-message.ts";
export { scrubBody, Tally } from "./scrub-exchange.ts";
export { decodeContent, requestEncoding } from "./content-coding.ts";
export { mimeOf } from "./mime.ts";
export { faultCounts, guarded, sayOnce } from "./guard.ts";
export { knowsTimers } from "./timer-frames.ts";
export { callerFrames, type CallerPlace, callerPlace, framesOf, isOurs } from "./caller-frames.ts";
export { loadHooksWork } from "./load-hooks.ts";
export { openDatabase } from "./leaks/databases.ts";
export type { OpenedDatabase } from "./leaks/opened-databases.ts";
export { watchFileCall } from "./leaks/files.ts";
export type { FileBefore, WrittenFile, WriteKind } from "./leaks/written-files.ts";
export { isLoadingProgram } from "./leaks/program-loading.ts";
