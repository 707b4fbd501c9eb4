import { type Command, InvalidArgumentError } from "commander";
import { errorCode } from "@reenact/envelope";
import { loadTape, RecordedAnswers, withVault } from "@reenact/replay";
import { count } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError, messageOf } from "../errors/cli-error.ts";
import { EXIT } from "../errors/error-code.ts";
import { environment } from "../process/environment.ts";
import { type ChildEnd, startChild } from "../process/launch-child.ts";
import { writeOutput } from "../process/write-output.ts";
import { projectScrubber } from "../redact/project-scrubber.ts";
import { namedRun } from "../remote/named-run.ts";
import { type RemoteOptions, withRemote } from "../remote/remote-options.ts";
import { painter } from "../render/painter.ts";
import { type BaseUrl, baseUrls, environmentFor } from "../serve/base-urls.ts";
import { type Endpoint, startEndpoint } from "../serve/endpoint.ts";
import { callLine, printServeReport, serveReport } from "../serve/serve-report.ts";
import { openStore } from "../store/open-store.ts";
import type { RunFile } from "../store/run-files.ts";
import { localRun } from "../store/run-source.ts";
import { vaultPlace } from "../store/vault-place.ts";

interface Options extends BaseOptions, RemoteOptions {
  port: number;
  json?: boolean;
  jsonFile?: string;
  vault?: string | false;
  vaultKey?: string;
}

export function serveCommand(command: string[] | null): Command {
  const remote = baseCommand(
    "serve",
    "the models of a recorded run as an HTTP endpoint, for programs in any language",
    [
      "reenact serve @last -- python agent.py",
      "reenact serve 7f3a91 --port 4010",
      "reenact serve failed.reenact --json-file report.json -- pytest tests/test_refund.py",
    ],
  );
  return withRemote(remote)
    .usage("[options] <run> [-- <command...>]")
    .argument("<run>", "run reference")
    .option("--port <port>", "of loopback; 0 takes a free one", portOf, 0)
    .option("--vault <file>", "originals of redacted values, as reenact vault export wrote them; default: the store's")
    .option("--no-vault", "serve redacted values as they stand in the record")
    .option("--vault-key <file>", "responder's private key that opens the vault")
    .option("--json", "one line when it is ready and one at the end, as JSON")
    .option("--json-file <path>", "write the report of the end here")
    .addHelpText(
      "after",
      `
With a command, it is started with the base URLs of the endpoint in its environment, and the endpoint ends with it. Without
one, the variables are printed, and SIGINT or SIGTERM ends it.

Exit code: 10 where a call differed, was refused or was never asked for; else 0, or that of the command.`,
    )
    .action(async (reference: string, options: Options) => {
      openStore(options.store);
      const tell = (line: string): void => {
        if (!options.quiet) process.stderr.write(line);
      };
      const run = await localRun(reference, options, tell);
      const answers = recordedAnswers(run, options);
      const name = namedRun(run.header.run, reference, options);
      const paint = painter(process.stderr);
      const endpoint = await started(answers, options.port, name, (call) => tell(callLine(call, name, paint)));
      const urls = baseUrls(answers.calls, endpoint.url);
      const env = environmentFor(urls, environment());
      tell(`${paint("green", "✓")} serving ${name}: ${recordedCalls(answers)}\n`);
      if (options.json) process.stdout.write(`${JSON.stringify(readyLine(endpoint, env))}\n`);
      else if (command === null) printVariables(urls, env, tell);
      const end = await (command === null
        ? signalled()
        : startChild(command, { ...environment(), ...env }, options.json ? 2 : "inherit"));
      await endpoint.stop();
      if (end?.failure) throw end.failure;
      const report = serveReport(run.header.run, answers, endpoint.calls);
      if (options.jsonFile !== undefined) writeOutput(options.jsonFile, `${JSON.stringify(report)}\n`);
      if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`);
      else tell(printServeReport(report, name, paint));
      process.exitCode = report.verdict === "diverged" ? EXIT.diverged : (end?.exitCode ?? EXIT.ok);
    });
}

function recordedAnswers({ path, header }: RunFile, options: Options): RecordedAnswers {
  let tape: ReturnType<typeof loadTape>;
  try {
    tape = withVault(loadTape(path), vaultPlace(options, path));
  } catch (error) {
    throw CliError.from(error, path);
  }
  const answers = new RecordedAnswers(tape, projectScrubber(options));
  if (answers.calls.length > 0) return answers;
  throw new CliError(
    "REEN-NOT-REPLAYABLE",
    `run ${header.run} has no call of a model to serve`,
    "name another run: reenact ls",
  );
}

async function started(
  answers: RecordedAnswers,
  port: number,
  run: string,
  onCall: Parameters<typeof startEndpoint>[1]["onCall"],
): Promise<Endpoint> {
  try {
    return await startEndpoint(answers, { port, run, onCall });
  } catch (error) {
    const taken = errorCode(error) === "EADDRINUSE";
    const what = taken ? `port ${String(port)} is taken` : `cannot listen on port ${String(port)}: ${messageOf(error)}`;
    throw new CliError("REEN-USAGE", what, "name another one with --port, or leave it out for a free one", {
      cause: error,
    });
  }
}

function recordedCalls({ calls }: RecordedAnswers): string {
  const ops = Object.entries(Object.groupBy(calls, ({ record }) => record.op));
  return `${count(calls.length, "call")} of models (${ops.map(([op, list]) => `${op} ×${String(list?.length ?? 0)}`).join(", ")})`;
}

function readyLine({ url, port }: Endpoint, env: Record<string, string>): object {
  return { schemaVersion: 1, url, port, pid: process.pid, environment: env };
}

/** On standard output, so that a shell can take them. */
function printVariables(urls: readonly BaseUrl[], env: Record<string, string>, tell: (line: string) => void): void {
  for (const [name, value] of Object.entries(env)) process.stdout.write(`export ${name}=${value}\n`);
  for (const { host, variable, url } of urls)
    if (variable === null || env[variable] !== url)
      process.stdout.write(`# base URL for calls that went to ${host}: ${url}\n`);
  tell("  set these for your program; Ctrl-C ends the endpoint and says what was asked\n");
}

function signalled(): Promise<ChildEnd | null> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve(null));
  });
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError("It is a port from 0 to 65535.");
}
