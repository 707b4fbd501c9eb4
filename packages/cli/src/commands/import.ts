import { Command } from "commander";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decodeSpan, scanJson, scanTraces, type ScannedSpan } from "@reenact/envelope";
import { readEnvelope, writeEnvelope } from "@reenact/envelope/file";
import { CliError } from "../cli-error.ts";
import { storeOption } from "../store-option.ts";

export function importCommand(): Command {
  return new Command("import")
    .description("bring runs of an OTLP file (protobuf or JSON) or a .reenact file into the store")
    .argument("<file...>", "files")
    .addOption(storeOption())
    .option("--json", "machine-readable")
    .addHelpText("after", "\nExamples:\n  reenact import run.otlp\n  reenact import failed.reenact --store /tmp/store")
    .action((files: string[], options: { store: string; json?: boolean }) => {
      const runs = files.flatMap((file) => importFile(options.store, file));
      if (options.json) process.stdout.write(`${JSON.stringify({ schemaVersion: 1, runs, store: options.store })}\n`);
      else for (const run of runs) process.stdout.write(`${run}\n`);
    });
}

function importFile(store: string, file: string): string[] {
  if (!existsSync(file)) throw new CliError("REEN-NO-FILE", `no such file: ${file}`, "check the path");
  const bytes = readFileSync(file);
  if (isEnvelope(bytes)) {
    const { header } = readEnvelope(bytes);
    put(store, header.run, bytes);
    return [header.run];
  }
  const byRun = Map.groupBy(spansOf(file, bytes), (s) => String(decodeSpan(s.span).attributes["reenact.run.id"] ?? ""));
  byRun.delete("");
  if (byRun.size === 0) throw new CliError("REEN-NOT-A-RUN", `${file} holds no run of ours: none of its spans carries reenact.run.id`, "import a file that reenact export wrote");
  for (const [run, spans] of byRun) put(store, run, writeEnvelope({ spans }).bytes);
  return [...byRun.keys()];
}

function isEnvelope(bytes: Buffer): boolean {
  return bytes.length > 12 && bytes.readUInt32LE(0) === 0x184d2a50 && bytes.subarray(8, 12).toString("latin1") === "RNCT";
}

function spansOf(file: string, bytes: Buffer): ScannedSpan[] {
  try {
    return /^\s*\{/.test(bytes.subarray(0, 64).toString("utf8")) ? scanJson(JSON.parse(bytes.toString("utf8"))) : scanTraces(bytes);
  } catch (error) {
    throw new CliError("REEN-NOT-A-RUN", `${file} is neither OTLP nor a .reenact file: ${error instanceof Error ? error.message : String(error)}`, "check the file");
  }
}

function put(store: string, run: string, bytes: Uint8Array): void {
  const folder = join(store, "runs");
  const path = join(folder, `${run}.reenact`);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${path}.${process.pid}.tmp`, bytes);
    renameSync(`${path}.${process.pid}.tmp`, path);
  } catch (error) {
    throw new CliError("REEN-STORE", `cannot write to ${folder}: ${error instanceof Error ? error.message : String(error)}`, "name another store with --store", 5);
  }
}
