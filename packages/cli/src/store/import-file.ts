import { existsSync, readFileSync } from "node:fs";
import { isEnvelope, type OtlpRun, otlpRuns, writeEnvelope } from "@reenact/envelope/file";
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
    const runs = runsOf(bytes);
    if (runs.length === 0) throw new CliError("REEN-NOT-A-RUN", `${file} holds no spans`, "check the file");
    return runs.map((run) => importer.add(writeEnvelope(run).bytes, file));
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

function runsOf(bytes: Buffer): OtlpRun[] {
  try {
    return otlpRuns(bytes);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new CliError("REEN-NOT-A-RUN", `neither OTLP nor a .reenact file: ${messageOf(error)}`, "check the file", {
      cause: error,
    });
  }
}
