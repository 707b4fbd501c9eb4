import type { Command } from "commander";
import { oneLine } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError, messageOf } from "../errors/cli-error.ts";
import { type Check, fail } from "../doctor/check.ts";
import { lastRun, recorded } from "../doctor/run-checks.ts";
import { configuration, endpoint, hooks, nodeVersion, policy, redactionKey, sdks } from "../doctor/setup-checks.ts";
import { readable, storeWritable, waiting } from "../doctor/store-checks.ts";
import { EXIT } from "../errors/error-code.ts";
import { loadCollector, refusedBy } from "../process/collector-package.ts";
import { environment } from "../process/environment.ts";

export function doctorCommand(command: string[] | null): Command {
  return baseCommand("doctor", "check the set-up, and with a command record it once and audit the run", [
    "reenact doctor",
    "reenact doctor -- node agent.js",
    "reenact doctor --config /etc/reenact/collector.yaml",
  ])
    .usage("[options] [-- <command...>]")
    .option(
      "--config <file>",
      "check the brokers, database and store of a collector instead: its settings, YAML or JSON",
    )
    .option("--json", "machine-readable")
    .action(async (options: BaseOptions & { json?: boolean; config?: string }) => {
      if (command !== null && command.length === 0)
        throw new CliError("REEN-NO-COMMAND", "no command after --", "reenact doctor -- node agent.js");
      const checks =
        options.config === undefined
          ? await checksOf(options.store, command)
          : await ofCollector(options.config, command);
      if (options.json)
        process.stdout.write(
          `${JSON.stringify({ schemaVersion: 1, checks: checks.map(({ id, ok, line, fix }) => ({ id, ok, line, fix })) })}\n`,
        );
      else
        for (const c of checks)
          process.stdout.write(
            `${c.ok ? "✓" : "✗"} ${c.id.padEnd(18)} ${oneLine(`${c.line}${c.fix === null ? "" : `. Fix: ${c.fix}`}`, 600)}\n`,
          );
      const failed = checks.filter((c) => !c.ok);
      if (failed.length > 0) process.exitCode = failed.find(({ exit }) => exit !== undefined)?.exit ?? EXIT.failed;
    });
}

async function checksOf(folder: string, command: string[] | null): Promise<Check[]> {
  const store = storeWritable(folder);
  const checks = [nodeVersion(), configuration(), store, sdks(), hooks(), policy(folder), ...(await endpoint())];
  if (store.ok) {
    checks.push(redactionKey(folder));
    for (const look of [waiting, readable]) checks.push(...guarded(() => look(folder)));
  }
  if (command !== null) checks.push(...(await recorded(command)));
  else if (store.ok) checks.push(...guarded(() => lastRun(folder)));
  return checks;
}

async function ofCollector(file: string, command: string[] | null): Promise<readonly Check[]> {
  if (command !== null)
    throw new CliError(
      "REEN-USAGE",
      "--config checks a collector, and a command its own run",
      "reenact doctor --config …",
    );
  const collector = await loadCollector();
  try {
    return await collector.checkServers(collector.loadConfig({ env: environment(), file }));
  } catch (error) {
    throw refusedBy(collector, error, "doctor");
  }
}

/** What one check stumbles over hides no other. */
function guarded(look: () => Check[]): Check[] {
  try {
    return look();
  } catch (error) {
    const { next } = CliError.from(error);
    return [fail("runs", messageOf(error), next)];
  }
}
