import { existsSync, readFileSync } from "node:fs";
import { ATTR, decodeSpan, scanJson, scanTraces, type ScannedSpan } from "@reenact/envelope";
import { writeEnvelope } from "@reenact/envelope/file";
import { CliError, messageOf } from "../errors/cli-error.ts";
import type { RunImporter } from "./run-importer.ts";

/**
 * Adds every run of an OTLP file (protobuf or JSON) or a `.reenact` file; gives their ids. In a file without a run of ours
 * each trace is one, which can be shown and not replayed.
 */
export function importFile(importer: RunImporter, file: string): string[] {
  const bytes = bytesOf(file);
  if (isEnvelope(bytes)) return [importer.add(bytes, file)];
  try {
    const all = spansOf(bytes);
    if (all.length === 0) throw new CliError("REEN-NOT-A-RUN", `${file} holds no spans`, "check the file");
    const byRun = Map.groupBy(all, runIdOf);
    byRun.delete("");
    if (byRun.size > 0) return [...byRun.values()].map((spans) => importer.add(writeEnvelope({ spans }).bytes, file));
    const byTrace = Map.groupBy(all, ({ traceId }) => traceId);
    return [...byTrace].map(([run, spans]) => importer.add(writeEnvelope({ spans, run }).bytes, file));
  } catch (error) {
    throw CliError.from(error, file);
  }
}

function bytesOf(file: string): Buffer {
  if (!existsSync(file)) throw new CliError("REEN-NO-FILE", `no such file: ${file}`, "check the path");
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CliError("REEN-NO-FILE", `cannot read ${file}: ${messageOf(error)}`, "check the path", { cause: error });
  }
}

function isEnvelope(bytes: Buffer): boolean {
  return (
    bytes.length > 12 && bytes.readUInt32LE(0) === 0x184d2a50 && bytes.subarray(8, 12).toString("latin1") === "RNCT"
  );
}

function spansOf(bytes: Buffer): ScannedSpan[] {
  if (!/^\s*\{/.test(bytes.subarray(0, 64).toString("utf8"))) return scanTraces(bytes);
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString("utf8"));
  } catch (error) {
    throw new CliError("REEN-NOT-A-RUN", `neither OTLP nor a .reenact file: ${messageOf(error)}`, "check the file", {
      cause: error,
    });
  }
  return scanJson(json);
}

/** Empty for a span of another instrumentation. */
function runIdOf({ span }: ScannedSpan): string {
  const id = decodeSpan(span).attributes[ATTR.runId];
  return typeof id === "string" ? id : "";
}
