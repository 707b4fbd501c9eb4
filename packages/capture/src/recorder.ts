// The engine, for the packages of this repository alone: @reenact/node records with it and @reenact/replay replays. It has
// no stable interface, so a package that imports it depends on exactly this version.
export { hostnameRead } from "./ambient/machine.ts";
export {
  environmentNames,
  environmentReads,
  showEnvironment,
  type ShownEnvironment,
  watchEnvironment,
  setForProgram,
} from "./ambient/environment.ts";
export { isAgent, runAgent } from "./api/agent.ts";
export { attachInstrumentation, type AttachOptions } from "./attach/attach.ts";
export type { Delivery, DeliveryKind, Gate, TurnKind } from "./source/gate.ts";
export { TurnKinds } from "./run/turn-kinds.ts";
export { type Frame, here, isLive, live, type RunContext, runOfContext, within } from "./run/context.ts";
export type { AgentCode } from "./inbound/agent-signs.ts";
export { install, isRecording, type Installed, type InstallOptions } from "./install.ts";
export { LiveSource } from "./source/live-source.ts";
export { recorder, type Recorder } from "./run/recorder.ts";
export { setActiveSpanLookup } from "./span/active-span-lookup.ts";
export { watchedExport } from "./hook/watch-handlers.ts";
export { type JobReceiver, jobReceivers, type JobValue } from "./inbound/inbound-job.ts";
export { headerOf, type HeaderValues, type RequestValue, type ResponseValue } from "./inbound/message-value.ts";
export { hasServed } from "./run/server-mode.ts";
export { Run } from "./run/run.ts";
export { isInbound, type RunStart } from "./run/run-start.ts";
export type { RunEnd } from "./run/run-start.ts";
export { servedValue } from "./source/served-value.ts";
export type { Step } from "./span/step.ts";
export type { DrawKind, NumberedKind, Source } from "./source/source.ts";
export type { Address, Answer, DecidedAnswer, RecordedChunk, Content, SentRequest } from "./source/answer.ts";
export { METADATA_ATTRIBUTES, metadataAttributes, metadataOf } from "./span/metadata-attributes.ts";
export { scrubMetadata } from "./redact/scrub-metadata.ts";
export { FROM_ENVIRONMENT, type MetadataScopes } from "./run/run-metadata.ts";
export type { EndedSpan, RunFacts, RunMetadata, Sink, StepFacts } from "./run/sink.ts";
export { mayBeKept, originalsOfRead } from "./redact/keep-originals.ts";
export type { Originals } from "./redact/kept.ts";
export { type ValueMarks, valueMarks } from "./redact/redacted-by.ts";
export { tokenValues } from "./redact/token-values.ts";
export type { Vault } from "./redact/vault.ts";
export type { KeptResponse, KeptRoot, KeptStep, TokenValues } from "./redact/kept.ts";
export { onFirstUse } from "./patch/output-stream.ts";
export { orderSend } from "./ambient/datagrams.ts";
export { raise } from "./source/raise.ts";
export { isListening, isOwnAddress, isOwnPath, listeningServers, wasOwnAddress } from "./transport/own-ports.ts";
export { originals, epochNow } from "./patch/originals.ts";
export { watchFetch } from "./transport/fetch/fetch.ts";
export { journalDelivery, RecordGate } from "./source/record-gate.ts";
export { virtualNow } from "./ambient/clock/virtual-now.ts";
export { received } from "./span/received.ts";
export { digestsOf } from "./span/digests-of.ts";
export type {
  AnswerDraft,
  BodyDraft,
  DraftText,
  ReadDraft,
  ReadTexts,
  RequestDraft,
  StepDraft,
  StepTexts,
} from "./span/draft.ts";
export { readTexts, type TextsRead } from "./span/draft-step.ts";
export { spanOfDraft } from "./span/span-of-draft.ts";
export { operationOfDraft, recogniseBy } from "./span/recognise.ts";
export { scrubPath } from "./redact/scrub-path.ts";
export { scrubError } from "./redact/scrub-error.ts";
export { plainJson } from "./redact/plain-json.ts";
export { scrubTyped } from "./redact/scrub-typed.ts";
export { valueOfRoot } from "./span/call-part.ts";
export { digestHeader } from "./redact/digest-header.ts";
export { thrownMessage } from "./span/thrown-message.ts";
export { scrubBody, Tally } from "./redact/scrub-exchange.ts";
export { decodeContent, deliveredEncoding, requestEncoding } from "./transport/content-coding.ts";
export { eventStreamText, isFramed } from "./transport/event-frames.ts";
export { mimeOf } from "./transport/mime.ts";
export { faultCounts, guarded, warnOnce } from "./fault/faults.ts";
export { knowsTimers } from "./ambient/timers/timer-frames.ts";
export { callerFrames, type CallerPlace, callerPlace, framesOf, isOurs } from "./patch/caller-frames.ts";
export { loadHooksWork } from "./hook/load-hooks.ts";
export { openDatabase } from "./leaks/databases.ts";
export type { OpenedDatabase } from "./leaks/opened-databases.ts";
export { watchFileCall } from "./leaks/files.ts";
export {
  permissionsOf,
  type FileBefore,
  type PermissionsFrom,
  type WrittenFile,
  type WriteKind,
} from "./leaks/written-files.ts";
export { bytesOf as bytesOfOutput, chunkOf as outputChunk } from "./child-process/output-chunk.ts";
export { nodeChildren } from "./child-process/node-children.ts";
export { isChildRunning } from "./child-process/recorded-child.ts";
export { recordsChild, recordsSyncChildren } from "./child-process/watch-children.ts";
export { isLoadingProgram } from "./leaks/program-loading.ts";
