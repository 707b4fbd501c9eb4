import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Command } from "commander";
import type { ReplayReport } from "@reenact/replay";
import { oneLine } from "@reenact/view";
import { baseCommand, type BaseOptions, several } from "./base-command.ts";
import { checkOut } from "../bisect/check-out.ts";
import { firstChanged, type Shown } from "../bisect/first-changed.ts";
import {
  type Repository,
  repositoryOf,
  type Revision,
  revision,
  revisionsBetween,
  shortRevision,
} from "../bisect/git-history.ts";
import { replayRevision } from "../bisect/replay-revision.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/error-code.ts";
import { type RemoteOptions, withRemote } from "../remote/remote-options.ts";
import { type Bisection, printBisection, triedLine } from "../render/bisection.ts";
import { painter } from "../render/painter.ts";
import { openStore } from "../store/open-store.ts";
import { localRun } from "../store/run-source.ts";
import { seconds } from "./seconds.ts";

interface Options extends BaseOptions, RemoteOptions {
  json?: boolean;
  setup?: string;
  runTool: string[];
  env: string[];
  timeout: number;
}

export function bisectCommand(command: string[] | null): Command {
  const bisect = baseCommand("bisect", "which revision changed the replay of a run", [
    "reenact bisect v1.4.0 main @failed -- node agent.js",
    'reenact bisect HEAD~20 HEAD 7f3a91 --setup "npm ci && npm run build" -- node dist/agent.js',
  ]);
  return withRemote(bisect)
    .usage("[options] <good> <bad> <run> -- <command...>")
    .argument("<good>", "git revision, the older one")
    .argument("<bad>", "git revision whose replay is another one")
    .argument("<run>", "run reference")
    .option(
      "--setup <command>",
      "prepares each revision, in a shell; without it the packages of this folder are linked",
    )
    .option("--run-tool <name>", "run the body of this tool or step instead of serving it (repeatable)", several, [])
    .option("--env <name>", "take this variable from here instead of from the record (repeatable)", several, [])
    .option("--timeout <seconds>", "kill a replay that does not end by itself; 0: never", seconds, 600)
    .option("--json", "machine-readable")
    .action(async (good: string, bad: string, reference: string, options: Options) => {
      if (command === null || command.length === 0)
        throw new CliError(
          "REEN-NO-COMMAND",
          "no command after --",
          `reenact bisect ${good} ${bad} ${reference} -- node agent.js`,
        );
      openStore(options.store);
      const { path } = await localRun(reference, options, (line) => void process.stderr.write(line));
      const found = await bisected(good, bad, { path: resolve(path), command, options });
      const paint = painter(process.stdout);
      process.stdout.write(options.json ? `${JSON.stringify(found)}\n` : printBisection(found, paint));
      process.exitCode = found.interrupted ? EXIT.interrupted : found.first === null ? EXIT.failed : EXIT.ok;
    });
}

interface What {
  /** the run's file */
  readonly path: string;
  readonly command: string[];
  readonly options: Options;
}

async function bisected(goodName: string, badName: string, what: What): Promise<Bisection> {
  const repository = await repositoryOf(process.cwd());
  const [good, bad] = [await revision(repository.root, goodName), await revision(repository.root, badName)];
  const between = await revisionsBetween(repository.root, good, bad);
  const scratch = mkdtempSync(join(tmpdir(), "reenact-bisect-"));
  let interrupted = false;
  const interrupt = (): void => void (interrupted = true);
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, interrupt);
  const tried: Bisection["tried"] = [];
  const tell = painter(process.stderr);
  const replay = async (one: Revision) => {
    const { report, why } = await replayed(repository, one, what, scratch);
    const entry = { revision: one, verdict: report?.verdict ?? null, why, report };
    tried.push(entry);
    if (!what.options.quiet && !interrupted) process.stderr.write(triedLine(entry, tell));
    return entry;
  };
  try {
    const [first, last] = [await replay(good), await replay(bad)];
    if (!interrupted) refuseEqual(first, last);
    const search = await firstChanged(between.length, async (at): Promise<Shown | null> => {
      if (interrupted) return null;
      const { report } = await replay(between[at] as Revision);
      return interrupted ? null : report === null ? "untestable" : sameAs(report, first.report) ? "same" : "changed";
    });
    const candidates = search.candidates.map((at) => between[at] as Revision);
    const [only] = candidates.length === 1 ? candidates : [];
    return { schemaVersion: 1, good, bad, first: only ?? null, candidates, tried, interrupted };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.off(signal, interrupt);
  }
}

async function replayed(repository: Repository, one: Revision, { path, command, options }: What, scratch: string) {
  const { folder, remove } = await checkOut(repository, one, { scratch, packages: options.setup === undefined });
  try {
    return await replayRevision(folder, {
      run: path,
      store: resolve(options.store),
      options: [
        ...options.runTool.flatMap((name) => ["--run-tool", name]),
        ...options.env.flatMap((name) => ["--env", name]),
        "--timeout",
        String(options.timeout),
      ],
      command,
      setUp: options.setup ?? null,
      scratch: mkdtempSync(join(scratch, "report-")),
    });
  } finally {
    await remove();
  }
}

type Tried = Bisection["tried"][number];

function refuseEqual(good: Tried, bad: Tried): void {
  for (const { report, revision: one, why } of [good, bad])
    if (report === null)
      throw new CliError(
        "REEN-CANNOT-START",
        `${shortRevision(one)} cannot be replayed: ${oneLine(why, 300)}`,
        "--setup prepares a revision, such as npm ci",
      );
  if (!sameAs(bad.report as ReplayReport, good.report)) return;
  const verdict = `${good.verdict ?? ""}${good.report?.divergence ? `, ${oneLine(good.report.divergence.cause, 200)}` : ""}`;
  throw new CliError(
    "REEN-GIT",
    `the replay is the same at both revisions: ${verdict}`,
    "name two revisions whose replays differ",
  );
}

/** Two replays are the same by their verdict and their first difference. */
function sameAs(one: ReplayReport, other: ReplayReport | null): boolean {
  const key = (report: ReplayReport | null): string => {
    const { step, slot, verdict, pointer, now } = report?.divergence ?? {};
    return JSON.stringify([report?.verdict, step, slot, verdict, pointer, now]);
  };
  return key(one) === key(other);
}
