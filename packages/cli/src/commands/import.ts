import type { Command } from "commander";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { importFile } from "../store/import-file.ts";
import { importVault } from "../store/vault-run.ts";
import { shortId } from "../store/short-id.ts";
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
      const unsealable = files.flatMap((file) => importVault(options.store, file, runs) ?? []);
      if (options.quiet !== true)
        for (const run of unsealable)
          process.stderr.write(
            `the sealed originals of run ${shortId(run, options.store)} are in the store: replay it with --vault-key <private key>\n`,
          );
      if (options.json) process.stdout.write(`${JSON.stringify({ schemaVersion: 1, runs, store: options.store })}\n`);
      else for (const run of runs) process.stdout.write(`${run}\n`);
    });
}
