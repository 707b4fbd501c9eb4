import { readFileSync, writeFileSync } from "node:fs";
import { ATTR, joinTraces, otlpJson, scanJson, type StepRecord } from "@reenact/envelope";
import { readEnvelope, writeEnvelope } from "@reenact/envelope/file";

interface JsonAttribute {
  key: string;
  value: { stringValue?: string; intValue?: string };
}

/** One step of a recorded run, as its forger sees it. */
export interface ForgedStep {
  record: StepRecord;
  /** raw body of the answer, where the record refers to it */
  output: string | null;
}

/** Seals a forged copy of a run beside it; `forge` changes the steps, in order of their start. Returns its path. */
export function tamper(path: string, forge: (steps: ForgedStep[]) => void): string {
  const { spans } = readEnvelope(readFileSync(path));
  const json = JSON.parse(JSON.stringify(otlpJson(joinTraces(spans.map(({ scanned }) => scanned)).bytes))) as {
    resourceSpans: { scopeSpans: { spans: { attributes: JsonAttribute[] }[] }[] }[];
  };
  const found = json.resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
    .flatMap(({ attributes }) => {
      const record = attributes.find(({ key }) => key === ATTR.record);
      const output = attributes.find(({ key }) => key === ATTR.outputValue);
      const length = attributes.find(({ key }) => key === ATTR.recordLength);
      if (record?.value.stringValue === undefined) return [];
      return [
        {
          record,
          output,
          length,
          step: {
            record: JSON.parse(record.value.stringValue) as StepRecord,
            output: output?.value.stringValue ?? null,
          },
        },
      ];
    })
    .toSorted((a, b) => a.step.record.step - b.step.record.step);
  forge(found.map(({ step }) => step));
  for (const { record, output, length, step } of found) {
    record.value.stringValue = JSON.stringify(step.record);
    if (length !== undefined) length.value.intValue = String(record.value.stringValue.length);
    if (output !== undefined && step.output !== null) output.value.stringValue = step.output;
  }
  const forged = path.replace(/\.reenact$/, ".forged.reenact");
  writeFileSync(forged, writeEnvelope({ spans: scanJson(json) }).bytes);
  return forged;
}
