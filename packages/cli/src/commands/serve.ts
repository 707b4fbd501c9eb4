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
import { type ProjectScrubber, projectScrubber } from "../redact/project-scrubber.ts";
import { namedRun } from "../remote/named-run.ts";
import { type RemoteOptions, withRemote } from "../remote/remote-options.ts";
import { type Paint, painter } from "../render/painter.ts";
import { shellWords } from "../render/shell-words.ts";
import { type BaseUrl, baseUrls, environmentFor } from "../serve/base-urls.ts";
import { type Endpoint, type EndpointOptions, startEndpoint } from "../serve/endpoint.ts";
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
      const scrubber = projectScrubber(options);
      const answers = recordedAnswers(run, options, scrubber);
      const name = namedRun(run.header.run, reference, options);
      const paint = painter(process.stderr);
      const faults: string[] = [];
      const endpoint = await started(answers, {
        port: options.port,
        run: name,
        shown: (path) => scrubber.scrub(path, { key: "url" }).text,
        onCall: (call) => tell(callLine(call, name, paint)),
        onFault(request, error) {
          const fault = `${request}: ${errorCode(error) ?? (error instanceof Error ? error.name : "Error")}`;
          faults.push(fault);
          tell(`  ${paint("red", "✗")} could not be answered: ${fault}\n`);
        },
      });
      const urls = baseUrls(answers.calls, endpoint.url);
      const env = environmentFor(urls, environment());
      tell(`${paint("green", "✓")} serving ${name}: ${recordedCalls(answers)}\n`);
      if (options.vault !== false) tellTokens(answers, paint, tell);
      if (options.json) process.stdout.write(`${JSON.stringify(readyLine(endpoint, env))}\n`);
      else if (command === null) printVariables(urls, env, tell);
      if (command !== null) for (const line of notSet(urls, env)) tell(`  ${line}\n`);
      const end = await (command === null
        ? signalled()
        : startChild(command, { ...environment(), ...env }, options.json ? 2 : "inherit"));
      await endpoint.stop();
      if (end?.failure) throw end.failure;
      const report = serveReport(run.header.run, answers, endpoint.calls, faults);
      if (options.jsonFile !== undefined) writeOutput(options.jsonFile, `${JSON.stringify(report)}\n`);
      if (options.json) process.stdout.write(`${JSON.stringify(report)}\n`);
      else tell(printServeReport(report, name, paint));
      process.exitCode = report.verdict === "diverged" ? EXIT.diverged : (end?.exitCode ?? EXIT.ok);
    });
}

function recordedAnswers({ path, header }: RunFile, options: Options, scrubber: ProjectScrubber): RecordedAnswers {
  let tape: ReturnType<typeof loadTape>;
  try {
    tape = withVault(loadTape(path), vaultPlace(options, path));
  } catch (error) {
    throw CliError.from(error, path);
  }
  const answers = new RecordedAnswers(tape, scrubber);
  if (answers.calls.length > 0) return answers;
  throw new CliError(
    "REEN-NOT-REPLAYABLE",
    `run ${header.run} has no call of a model to serve`,
    "name another run: reenact ls",
  );
}

async function started(answers: RecordedAnswers, options: EndpointOptions): Promise<Endpoint> {
  const { port } = options;
  try {
    return await startEndpoint(answers, options);
  } catch (error) {
    const taken = errorCode(error) === "EADDRINUSE";
    const what = taken ? `port ${String(port)} is taken` : `cannot listen on port ${String(port)}: ${messageOf(error)}`;
    throw new CliError("REEN-USAGE", what, "name another one with --port, or leave it out for a free one", {
      cause: error,
    });
  }
}

function tellTokens({ withTokens }: RecordedAnswers, paint: Paint, tell: (line: string) => void): void {
  if (withTokens === null) return;
  const { calls, problem, next } = withTokens;
  const answers = `${count(calls, "answer")} with redacted values, served as tokens`;
  tell(`  ${paint("yellow", "!")} ${answers}: ${problem}. Next: ${next}\n`);
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
  for (const [name, value] of Object.entries(env)) process.stdout.write(`export ${name}=${shellWords([value])}\n`);
  for (const line of notSet(urls, env)) process.stdout.write(`# ${line}\n`);
  tell("  set these for your program; Ctrl-C ends the endpoint and says what was asked\n");
}

/** Base URLs that no variable holds: the program has to be given them in its code. */
function notSet(urls: readonly BaseUrl[], env: Record<string, string>): string[] {
  return urls
    .filter(({ variable, url }) => variable === null || env[variable] !== url)
    .map(({ host, url }) => `base URL for calls that went to ${host}: ${url}`);
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
