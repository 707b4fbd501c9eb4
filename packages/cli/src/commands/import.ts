import type { Command } from "commander";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ATTR, decodeSpan, scanJson, scanTraces, type ScannedSpan } from "@reenact/envelope";
import { readEnvelope, writeEnvelope } from "@reenact/envelope/file";
import { baseCommand, type BaseOptions } from "../base-command.ts";
import { CliError, said } from "../cli-error.ts";
import { readRunFile } from "../run-files.ts";

export function importCommand(): Command {
  return baseCommand("import", "bring runs of an OTLP file (protobuf or JSON) or a .reenact file into the store", [
    "reenact import run.otlp",
    "reenact import failed.reenact --store /tmp/store",
  ])
    .argument("<file...>", "files")
    .option("--json", "machine-readable")
    .action((files: string[], options: BaseOptions & { json?: boolean }) => {
      const runs = files.flatMap((file) => importFile(options.store, file));
      if (options.json) process.stdout.write(`${JSON.stringify({ schemaVersion: 1, runs, store: options.store })}\n`);
      else for (const run of runs) process.stdout.write(`${run}\n`);
    });
}

function importFile(store: string, file: string): string[] {
  const bytes = bytesOf(file);
  try {
    if (isEnvelope(bytes)) {
      const { header } = readEnvelope(bytes);
      put(store, header.run, header, bytes);
      return [header.run];
    }
    const byRun = Map.groupBy(spansOf(bytes), runIdOf);
    byRun.delete("");
    if (byRun.size === 0)
      throw new CliError(
        "REEN-NOT-A-RUN",
        `${file} holds no run of ours: none of its spans carries reenact.run.id`,
        "import a file that reenact export wrote",
      );
    for (const [run, spans] of byRun) {
      const written = writeEnvelope({ spans });
      put(store, run, written.header, written.bytes);
    }
    return [...byRun.keys()];
  } catch (error) {
    throw CliError.from(error, file);
  }
}

function bytesOf(file: string): Buffer {
  if (!existsSync(file)) throw new CliError("REEN-NO-FILE", `no such file: ${file}`, "check the path");
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CliError("REEN-NO-FILE", `cannot read ${file}: ${said(error)}`, "check the path", { cause: error });
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
    throw new CliError("REEN-NOT-A-RUN", `neither OTLP nor a .reenact file: ${said(error)}`, "check the file", {
      cause: error,
    });
  }
  return scanJson(json);
}

/** Empty for a span of somebody else. */
function runIdOf({ span }: ScannedSpan): string {
  const id = decodeSpan(span).attributes[ATTR.runId];
  return typeof id === "string" ? id : "";
}

/** A run that is there already stays, if it is the same one or a later revision. */
function put(store: string, run: string, header: { content: string; revision: number }, bytes: Uint8Array): void {
  const folder = join(store, "runs");
  const path = join(folder, `${run}.reenact`);
  const fresh = `${path}.${process.pid}.tmp`;
  try {
    const there = existsSync(path) ? readRunFile(path).header : null;
    if (there !== null && (there.content === header.content || there.revision > header.revision)) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(fresh, bytes, { mode: 0o600, flag: "wx" });
    renameSync(fresh, path);
  } catch (error) {
    if (existsSync(fresh)) rmSync(fresh);
    throw CliError.store(store, "cannot write to", error);
  }
}
