import { createHash } from "node:crypto";
import fs, { rmSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Command, InvalidArgumentError } from "commander";
import type { Project } from "@reenact/collector";
import { errorCode, makeFolder } from "@reenact/envelope";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError } from "../errors/cli-error.ts";
import { collectorFolders, loadCollector, refusedBy } from "../process/collector-package.ts";
import { shipStore } from "@reenact/node/send";
import { openInBrowser, writeLeadingPage } from "../process/open-browser.ts";
import { count, dollars as usd } from "@reenact/view";
import { environment } from "../process/environment.ts";
import { painter } from "../render/painter.ts";
import { openProjectChecks } from "../workbench/project-checks.ts";
import { type OpenWorkbench, openWorkbench } from "../workbench/workbench.ts";
import { projectScope } from "../redact/project-scrubber.ts";
import { placeOptions } from "../remote/place-options.ts";
import { projectTests, testCommand } from "../tests/project-tests.ts";
import { liveLimits } from "../workbench/live-limits.ts";
import type { LiveLimits } from "../workbench/live-budget.ts";
import { dollars } from "./dollars.ts";
import { noteLeft, noteUp, upAddress } from "../remote/up-address.ts";

interface Options extends BaseOptions {
  json?: boolean;
  config?: string;
  host?: string;
  port: number;
  grpcPort?: number;
  s3?: string;
  acceptForeignLifecycle?: boolean;
  token?: string;
  forward: string[];
  allowLive?: boolean;
  maxCost?: number;
  prices?: string;
  to: string[];
  open: boolean;
}

export function upCommand(command: string[] | null): Command {
  return baseCommand("up", "run a collector here: OTLP in, sealed runs out, until it is stopped", [
    "reenact up",
    "reenact up --port auto --json",
    "reenact up -- node agent.js",
    "reenact up --allow-live --max-cost 0.50 --prices prices.json -- node agent.js",
    "reenact up --token $(openssl rand -hex 16) --host 0.0.0.0",
    "reenact up --s3 s3://bucket/runs --forward http://127.0.0.1:6006/v1/traces",
  ])
    .option("--json", "one machine-readable line when it is ready")
    .option("--config <file>", "settings of the collector, YAML or JSON")
    .option("--host <address>", "address to listen on")
    .option("--port <port>", "for OTLP/HTTP and the API; auto or 0 takes a free one", portOf, 4318)
    .option("--grpc-port <port>", "offer OTLP/gRPC too", portOf)
    .option("--s3 <address>", "keep sealed runs in s3://bucket/prefix", bucketOf)
    .option("--accept-foreign-lifecycle", "start although a lifecycle rule of the bucket deletes kept runs")
    .option("--forward <url>", "forward everything to this OTLP/HTTP address (repeatable)", collect, [])
    .option("--token <key>", "require this key of every client (env: REENACT_API_KEY for those that ask)")
    .option(
      "--allow-live",
      "let the pages send real requests with your keys, each after a confirmation; needs --max-cost",
    )
    .option("--max-cost <usd>", "what all live replays of the pages may cost together; needs --prices", dollars)
    .option("--prices <file>", "JSON with dollars per million tokens, by model")
    .option("--to <host>", "live replays may send, and your keys in them, also to this host (repeatable)", collect, [])
    .option("--no-open", "do not open the pages in a browser; without a terminal none is opened")
    .usage("[options] [-- <command...>]")
    .addHelpText(
      "after",
      "\nA command after -- is what the pages may replay runs with: this one only, and on this machine only.",
    )
    .action((options: Options) => up(options, command));
}

async function up(options: Options, command: string[] | null): Promise<void> {
  const live = liveLimits(options, command !== null);
  const bench = command === null ? null : workbenchOf(command, options, live);
  const collectorPackage = await loadCollector();
  const { createCollector, createLog, loadConfig } = collectorPackage;
  const least = options.verbose ? "debug" : "warn";
  let collector: ReturnType<typeof createCollector> | null = null;
  try {
    const file = options.config;
    // a run must be visible at once; many small packs in a folder cost nothing
    const env = file === undefined && options.s3 === undefined ? { REENACT_COLLECTOR_PACK_AGE: "1s" } : {};
    const config = loadConfig({
      env: { ...env, ...environment() },
      ...(file !== undefined && { file }),
      given: settings(options),
    });
    if (bench !== null && !isLoopback(config.listen.host)) refuseCommand(config.listen.host);
    // runs of the local store are shown on this machine only
    const local = isLoopback(config.listen.host) ? join(options.store, "runs") : undefined;
    collector = createCollector(
      { ...(local !== undefined && { local }), ...config },
      { log: createLog({ least }), project: projectHere(options, bench) },
    );
    const stopped = firstSignal();
    const address = await collector.ready;
    const forget = noteUp(options.store, address.http);
    let forgetPage = (): void => {};
    try {
      tell(address, bench, options);
      forgetPage = await showPages(address.http, bench, options);
      // what was recorded while no collector ran; what cannot be sent now waits on
      void shipStore(options.store, { env: environment() }).catch(() => {});
      const died = await Promise.race([stopped, collector.failed]);
      if (died instanceof Error) throw died;
    } finally {
      forget();
      forgetPage();
      await bench?.close();
    }
    await collector.close();
    noteLeft(options.store, collector.left());
  } catch (error) {
    await collector?.close();
    throw besideAnother(options, error) ?? refusedBy(collectorPackage, error, "up");
  }
}

/** One store has one collector: a second one fails with the address of the first. */
function besideAnother({ store, port }: Options, error: unknown): CliError | null {
  const there = upAddress(store);
  const code = errorCode(error);
  if (there === null || (code !== "LOCKED" && code !== "PORT_BUSY")) return null;
  if (code === "PORT_BUSY" && URL.parse(there)?.port !== String(port)) return null;
  const next = `use it: reenact ls --server ${there}; or name another --store and --port auto`;
  return new CliError("REEN-STORE", `a collector runs over ${store} already, at ${there}`, next, { cause: error });
}

function settings({ store, host, port, grpcPort, s3, forward, token, ...given }: Options): Record<string, unknown> {
  return {
    ...collectorFolders(store, s3),
    ...(token !== undefined && { keys: keyFile(store, token) }),
    ...(given.acceptForeignLifecycle === true && { s3: { acceptForeignLifecycle: true } }),
    listen: { port, ...(host !== undefined && { host }), ...(grpcPort !== undefined && { grpcPort }) },
    ...(forward.length > 0 && { forward: forward.map((url, n) => ({ name: `forward-${n + 1}`, url: withPath(url) })) }),
  };
}

/** What the pages show of the folder in which the command was given. */
function projectHere({ store: folder, token: key }: Options, workbench: OpenWorkbench | null): Project {
  const place = { project: process.cwd(), store: resolve(folder) };
  const [name, command] = [basename(place.project), testCommand(place)];
  return {
    name,
    testCommand: command,
    place: placeOptions({ store: folder }),
    tests: () => projectTests(place),
    checks: openProjectChecks({ ...place, key }),
    redactionPolicy: () => projectScope({ store: folder }).options.policy ?? {},
    workbench,
  };
}

function workbenchOf(command: readonly string[], { store, token }: Options, live: LiveLimits | null): OpenWorkbench {
  if (command.length === 0) throw new CliError("REEN-NO-COMMAND", "no command after --", "reenact up -- node agent.js");
  const place = { project: process.cwd(), store: resolve(store) };
  return openWorkbench({
    ...place,
    command,
    key: token,
    place: placeOptions({ store }),
    live,
  });
}

function refuseCommand(host: string): never {
  throw new CliError(
    "REEN-USAGE",
    `pages may start a command on this machine only, and it would listen on ${host}`,
    "leave out the command after --, or listen on 127.0.0.1",
  );
}

const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);

/** A host alone means the path that OTLP has. */
function withPath(url: string): string {
  const parsed = URL.parse(url);
  return parsed?.pathname === "/" && parsed.search === "" ? `${parsed.origin}/v1/traces` : url;
}

/** The collector knows its key by hash only. */
function keyFile(store: string, token: string): string {
  if (!/^[\x21-\x7e]{8,512}$/.test(token))
    throw new CliError(
      "REEN-USAGE",
      "--token needs 8 to 512 characters without blanks",
      "reenact up --token $(openssl rand -hex 16)",
    );
  const { data } = collectorFolders(store, undefined);
  const sha256 = createHash("sha256").update(token).digest("hex");
  const file = join(data, "keys.json");
  try {
    makeFolder(fs, data);
    const keys = [{ name: "up", sha256, scopes: ["ingest", "read", "admin"], tenant: "default" }];
    writeFileSync(file, JSON.stringify({ keys }), { mode: 0o600 });
  } catch (error) {
    throw CliError.store(store, "cannot write to", error);
  }
  return file;
}

interface Address {
  readonly http: string;
  readonly grpc: string | null;
  readonly store: string;
  readonly forwards: readonly { readonly url: string }[];
}

function tell({ http, grpc, store, forwards }: Address, bench: OpenWorkbench | null, options: Options): void {
  // behind #, it reaches no server and no log
  const pages = bench === null ? `${http}/` : `${http}/#token=${bench.token}`;
  if (options.json) {
    const line = { schemaVersion: 1, otlpHttp: http, otlpGrpc: grpc, ui: `${http}/`, store, pid: process.pid };
    const more = { forwards: forwards.map(({ url }) => url), replays: bench === null ? null : pages };
    process.stdout.write(`${JSON.stringify({ ...line, ...more })}\n`);
    return;
  }
  if (options.quiet) return;
  const paint = painter(process.stdout);
  const lines = [
    `${paint("green", "✓")} collector ready`,
    `  pages      ${pages}`,
    ...(bench === null ? [] : [`  replays    ${bench.command}  (with the pages that this link opens)`]),
    ...(options.allowLive === true
      ? [`  live       real requests from the pages, for ${usd(options.maxCost ?? 0)} in all`]
      : []),
    `  OTLP/HTTP  ${http}/v1/traces`,
    ...(grpc === null ? [] : [`  OTLP/gRPC  ${grpc}`]),
    `  API        ${http}/api/v1/openapi.json`,
    `  store      ${store}`,
    ...(forwards.length === 0
      ? []
      : [`  ${count(forwards.length, "forward")}: ${forwards.map(({ url }) => url).join(", ")}`]),
    "  waiting for a run; Ctrl-C ends it",
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** Opens the pages for somebody at a terminal; the result takes away what was written for it. */
async function showPages(http: string, bench: OpenWorkbench | null, options: Options): Promise<() => void> {
  const isWatched = process.stdout.isTTY && !environment()["CI"] && !options.json && !options.quiet;
  if (!options.open || !isWatched) return () => {};
  if (bench === null) {
    await openInBrowser(`${http}/`);
    return () => {};
  }
  const file = join(resolve(options.store), "collector", "open.html");
  writeLeadingPage(file, `${http}/#token=${bench.token}`);
  await openInBrowser(pathToFileURL(file).href);
  return () => rmSync(file, { force: true });
}

/** A second signal does not wait: what was acknowledged is on disk already. */
function firstSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(130));
        resolve();
      });
    }
  });
}

function portOf(text: string): number {
  if (text === "auto") return 0;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("It is a port from 0 to 65535, or auto.");
}

function bucketOf(text: string): string {
  if (/^s3:\/\/[^/]/.test(text)) return text;
  throw new InvalidArgumentError("It is s3://bucket/prefix.");
}

const collect = (url: string, before: string[]) => [...before, url];
