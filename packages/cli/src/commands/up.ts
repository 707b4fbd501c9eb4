import { join } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { baseCommand, type BaseOptions } from "../base-command.ts";
import { CliError, said } from "../cli-error.ts";
import { environment } from "../environment.ts";
import { painter } from "../painter.ts";
import { count } from "../terminal-text.ts";

type CollectorPackage = typeof import("@reenact/collector");

interface Options extends BaseOptions {
  json?: boolean;
  config?: string;
  host?: string;
  port: number;
  grpcPort?: number;
  s3?: string;
  forward: string[];
}

export function upCommand(): Command {
  return baseCommand("up", "run a collector here: OTLP in, sealed runs out, until it is stopped", [
    "reenact up",
    "reenact up --port auto --json",
    "reenact up --s3 s3://bucket/runs --forward http://127.0.0.1:6006/v1/traces",
  ])
    .option("--json", "one machine-readable line when it is ready")
    .option("--config <file>", "settings of the collector, YAML or JSON")
    .option("--host <address>", "address to listen on")
    .option("--port <port>", "for OTLP/HTTP and the API; auto or 0 takes a free one", portOf, 4318)
    .option("--grpc-port <port>", "offer OTLP/gRPC too", portOf)
    .option("--s3 <address>", "keep sealed runs in s3://bucket/prefix")
    .option("--forward <url>", "send everything on to this OTLP/HTTP address; may be given again", collect, [])
    .action(up);
}

async function up(options: Options): Promise<void> {
  const collectorPackage = await loadCollector();
  const { createCollector, createLog, loadConfig } = collectorPackage;
  const least = options.verbose ? "debug" : "warn";
  let collector: ReturnType<typeof createCollector> | null = null;
  try {
    const file = options.config;
    const config = loadConfig({ env: environment(), ...(file !== undefined && { file }), given: settings(options) });
    collector = createCollector(config, { log: createLog({ least }) });
    const stopped = firstSignal();
    const address = await collector.ready;
    tell(address, options);
    await stopped;
    await collector.close();
  } catch (error) {
    await collector?.close();
    throw refused(error, collectorPackage);
  }
}

function settings({ store, host, port, grpcPort, s3, forward }: Options): Record<string, unknown> {
  return {
    data: join(store, "collector"),
    store: s3 ?? join(store, "packs"),
    listen: { port, ...(host !== undefined && { host }), ...(grpcPort !== undefined && { grpcPort }) },
    ...(forward.length > 0 && { forward: forward.map((url, n) => ({ name: `forward-${n + 1}`, url })) }),
  };
}

interface Address {
  readonly http: string;
  readonly grpc: string | null;
  readonly store: string;
  readonly forwards: readonly { readonly url: string }[];
}

function tell({ http, grpc, store, forwards }: Address, options: Options): void {
  if (options.json) {
    const line = { schemaVersion: 1, otlpHttp: http, otlpGrpc: grpc, ui: null, store, pid: process.pid };
    process.stdout.write(`${JSON.stringify({ ...line, forwards: forwards.map(({ url }) => url) })}\n`);
    return;
  }
  if (options.quiet) return;
  const paint = painter(process.stdout);
  const lines = [
    `${paint("green", "✓")} collector ready`,
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

/** The collector is a package of its own: most users of the command never need it. */
async function loadCollector(): Promise<CollectorPackage> {
  try {
    return await import("@reenact/collector");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new CliError("REEN-CANNOT-START", "the collector is not installed", "npm install @reenact/collector", {
      cause,
    });
  }
}

function refused(error: unknown, { CollectorError, refusal }: CollectorPackage): unknown {
  if (error instanceof CliError) return error;
  const { exit } = refusal(error);
  if (exit === 1) return error;
  const next = (error as { next?: unknown }).next;
  const code = exit === 3 ? "REEN-USAGE" : "REEN-STORE";
  const what = error instanceof CollectorError ? error.message : said(error);
  return new CliError(code, what, typeof next === "string" ? next : "reenact up --help", { cause: error });
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

const collect = (url: string, before: string[]) => [...before, url];
