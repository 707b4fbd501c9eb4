/** Attribute names of the format. The views for people (`llm.*`, `gen_ai.*`) are named by the instrumentations. */
export const ATTR = {
  schema: "reenact.schema",
  runId: "reenact.run.id",
  runParent: "reenact.run.parent",
  runStatus: "reenact.run.status",
  replayOf: "reenact.replay.of",
  replayVerdict: "reenact.replay.verdict",
  kind: "reenact.kind",
  record: "reenact.record",
  recordLength: "reenact.record.length",
  /** JSON text on the root span, with every other fact about the run */
  root: "reenact.root",
  flag: "reenact.flag",
  inputValue: "input.value",
  inputMime: "input.mime_type",
  outputValue: "output.value",
  outputMime: "output.mime_type",
  spanKind: "openinference.span.kind",
} as const;

/** A line of a step's `lossy`: long texts of it are not in the record, since no thread was there that could redact them. */
export const UNREAD_TEXTS = "redaction: long texts could not be read";
