import { type Collector, createCollector } from "./app.ts";
import { checkServers } from "./check/check-servers.ts";
import { CollectorError } from "./collector-error.ts";
import { type Environment, loadConfig } from "./config.ts";
import type { CollectorConfig } from "./config-schema.ts";
import { createLog } from "./log.ts";
import { isRole, type Role, ROLES } from "./roles.ts";
import { refusal } from "./refusal.ts";
import { version } from "./version.ts";

const HELP = `reenact-collector [--config <file>] [--role <name,…>] [--accept-foreign-lifecycle] [--allow-single-broker]
                  [--login-link] [--check] [--version] [--help]

Receives OTLP traces, keeps each run as one sealed envelope, forwards them. Settings come from the file (YAML or JSON)
and from REENACT_COLLECTOR_*; OPERATIONS.md lists all of them. One line of JSON on standard output says that it is
ready and where; the log goes to standard error. SIGTERM and SIGINT end it in order; with
keys, SIGHUP reads them again (a change of the file is seen by itself). With
--accept-foreign-lifecycle it starts although a lifecycle rule of the bucket takes away runs that are to be kept.

--role receive,assemble,query,forward,retain names what this process does of a collector with journal.url (Kafka) and
catalog.url (PostgreSQL); without it, everything. With --allow-single-broker it starts on a topic whose records one
broker alone acknowledges, and can lose: for a laptop.

--login-link prints, on standard error, a link for each tenant of the keys that signs one browser in, to read, within ten
minutes; so does a start at a terminal. Without it no link is written, since standard error is a log elsewhere.

--check asks brokers, database and store whether it can start on them and lose nothing, prints a line for each, and ends: 0 all is as
it must be, 1 something is not. It makes no topic and no table; a collector may be running.
`;

/** The program. Resolves with its exit code: 0 after a signal, 3 for a wrong configuration, 5 for a store or port. */
export async function main(argv: readonly string[], env: Environment): Promise<number> {
  try {
    const told = readArguments(argv);
    if (told === null) return 0;
    const { file, given, check, loginLink } = told;
    // whoever read them may go, as `head` does: that is no reason to stop receiving
    for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
    const config = loadConfig({
      env,
      ...(file !== undefined && { file }),
      given,
    });
    if (check) return await printChecks(config);
    const collector = createCollector(config, { log: createLog({ least: config.log }) });
    const signalled = firstSignal();
    if (config.keys !== undefined) process.on("SIGHUP", () => collector.reload());
    const address = await collector.ready;
    const line = { schemaVersion: 1, ...address, pid: process.pid, version };
    process.stdout.write(`${JSON.stringify(line)}\n`);
    if (loginLink || process.stderr.isTTY) for (const link of await collector.loginLinks()) printLink(link);
    const died = await Promise.race([signalled, collector.failed]);
    await end(collector);
    if (died instanceof Error) throw died;
    return 0;
  } catch (error) {
    const { line, exit } = refusal(error);
    process.stderr.write(line);
    return exit;
  }
}

function printLink({ tenant, url }: { tenant: string; url: string }): void {
  process.stderr.write(`sign in to ${tenant}, once, within ten minutes: ${url}\n`);
}

/** Resolves with the exit code. */
async function printChecks(config: CollectorConfig): Promise<number> {
  const checks = await checkServers(config);
  for (const { id, ok, line, fix } of checks)
    process.stdout.write(`${ok ? "✓" : "✗"} ${id.padEnd(18)} ${line}${fix === null ? "" : `. Fix: ${fix}`}\n`);
  return checks.every(({ ok }) => ok) ? 0 : 1;
}

interface Arguments {
  readonly check: boolean;
  readonly loginLink: boolean;
  readonly file: string | undefined;
  readonly given: Record<string, unknown>;
}

/** null: help or version was asked for and told. Throws `BAD_CONFIG`. */
function readArguments(argv: readonly string[]): Arguments | null {
  const given: Record<string, Record<string, unknown> | readonly string[]> = {};
  let file: string | undefined;
  let check = false;
  let loginLink = false;
  for (let at = 0; at < argv.length; at++) {
    const [flag, value] = [argv[at]!, argv[at + 1]];
    if (flag === "--help" || flag === "--version") {
      process.stdout.write(flag === "--help" ? HELP : `${version}\n`);
      return null;
    }
    if (flag === "--accept-foreign-lifecycle") given["s3"] = { acceptForeignLifecycle: true };
    else if (flag === "--allow-single-broker") given["journal"] = { allowSingleBroker: true };
    else if (flag === "--check") check = true;
    else if (flag === "--login-link") loginLink = true;
    else if (flag === "--config" && value !== undefined) file = argv[++at];
    else if (flag === "--role" && value !== undefined) given["roles"] = rolesOf(argv[++at]!);
    else
      throw new CollectorError(
        "BAD_CONFIG",
        `unknown argument ${argv.slice(at).join(" ")}`,
        "reenact-collector --help",
      );
  }
  return { file, given, check, loginLink };
}

function rolesOf(text: string): Role[] {
  const roles = text.split(",");
  const unknown = roles.find((each) => !isRole(each));
  if (unknown !== undefined)
    throw new CollectorError(
      "BAD_CONFIG",
      `--role ${text}: ${unknown || "nothing"} is no role`,
      `name some of ${ROLES.join(", ")}`,
    );
  return roles.filter(isRole);
}

function firstSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  });
}

/** A second signal does not wait. What was acknowledged is on disk already. */
async function end(collector: Collector): Promise<void> {
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(130));
  await collector.close();
}
