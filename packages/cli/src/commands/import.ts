import type { Command } from "commander";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { importFile } from "../store/import-file.ts";
import { openRunImporter } from "../store/run-importer.ts";

export function importCommand(): Command {
  return baseCommand("import", "bring runs of an OTLP file (protobuf or JSON) or a .reenact file into the store", [
    "reenact import run.otlp",
    "reenact import failed.reenact --store /tmp/store",
  ])
    .argument("<file...>", "files")
    .option("--json", "machine-readable")
    .action((files: string[], options: BaseOptions & { json?: boolean }) => {
      const importer = openRunImporter(options.store);
      let runs: string[];
      try {
        for (const file of files) importFile(importer, file);
        runs = importer.commit();
      } finally {
        importer.drop();
      }
      if (options.json) process.stdout.write(`${JSON.stringify({ schemaVersion: 1, runs, store: options.store })}\n`);
      else for (const run of runs) process.stdout.write(`${run}\n`);
    });
}
