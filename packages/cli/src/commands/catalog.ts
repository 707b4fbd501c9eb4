import { Command } from "commander";
import { count } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError } from "../errors/cli-error.ts";
import { collectorFolders, loadCollector, refusedBy } from "../process/collector-package.ts";
import { environment } from "../process/environment.ts";
import { EXIT } from "../errors/error-code.ts";

interface Options extends BaseOptions {
  json?: boolean;
  config?: string;
  s3?: string;
  force?: boolean;
}

export function catalogCommand(): Command {
  const rebuild = baseCommand("rebuild", "make the catalog of a collector that is stopped again from its packs", [
    "reenact catalog rebuild",
    "reenact catalog rebuild --config /etc/reenact/collector.yaml",
    "reenact catalog rebuild --s3 s3://bucket/runs",
  ])
    .option("--config <file>", "settings of the collector, YAML or JSON; its folders, not those of --store")
    .option("--s3 <address>", "the packs are in s3://bucket/prefix")
    .option("--force", "also where packs cannot be read: their runs are missing then")
    .option("--json", "machine-readable")
    .action(rebuildCatalog);
  return new Command("catalog")
    .description("the index of a collector's runs")
    .addHelpText("after", "\nExamples:\n  reenact catalog rebuild --help")
    .addCommand(rebuild);
}

async function rebuildCatalog(options: Options): Promise<void> {
  const collector = await loadCollector();
  try {
    const { config: file } = options;
    const given = file === undefined ? collectorFolders(options.store, options.s3) : {};
    const config = collector.loadConfig({ env: environment(), given, ...(file !== undefined && { file }) });
    const log = collector.createLog({ least: options.verbose ? "info" : "error" });
    const done = await collector.remakeCatalog(config, { log, force: options.force === true });
    if (options.json) process.stdout.write(`${JSON.stringify({ schemaVersion: 1, ...done })}\n`);
    else process.stdout.write(`${printed(done)}\n`);
    if (!done.replaced)
      throw new CliError(
        "REEN-DAMAGED",
        `${count(done.unreadable, "pack")} of ${config.store} cannot be read; the catalog of before stays`,
        "restore the objects that the log names; --force goes without them",
      );
    if (done.unreadable > 0) process.exitCode = EXIT.failed;
  } catch (error) {
    throw refusedBy(collector, error, "catalog rebuild");
  }
}

function printed({
  packs,
  runs,
  rows,
}: Awaited<ReturnType<typeof import("@reenact/collector").remakeCatalog>>): string {
  const made = `${count(runs, "run")} from ${count(packs, "pack")}`;
  if (rows === null) return `${made}; there was no catalog to compare with`;
  return `${made}: ${rows.same} as before, ${rows.changed} changed, ${rows.added} new, ${rows.gone} gone`;
}
