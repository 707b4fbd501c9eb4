import { ATTR } from "@reenact/envelope";
import type { AttributeValue, StepKind } from "./dialect.ts";

export type AttributeList = [string, AttributeValue][];

/** The OpenInference kind nearest to ours. */
export function openInferenceKind(kind: StepKind | "AGENT"): string {
  switch (kind) {
    case "INPUT":
    case "DB":
    case "HTTP":
    case "STEP":
      return "CHAIN";
    default:
      return kind;
  }
}

/** Group 1 of a step's attributes, in the order in which they must be set: replay needs only these. */
export function groupOne(
  runId: string,
  kind: StepKind,
  record: string | null,
  input: { value: string; mime: string } | null,
  output: { value: string; mime: string } | null,
): AttributeList {
  const list: AttributeList = [
    [ATTR.schema, 1],
    [ATTR.runId, runId],
    [ATTR.spanKind, openInferenceKind(kind)],
  ];
  if (record !== null) list.push([ATTR.record, record], [ATTR.recordLength, record.length]);
  if (input !== null) list.push([ATTR.inputValue, input.value], [ATTR.inputMime, input.mime]);
  if (output !== null) list.push([ATTR.outputValue, output.value], [ATTR.outputMime, output.mime]);
  list.push([ATTR.kind, kind]);
  return list;
}
