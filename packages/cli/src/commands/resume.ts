import type { Command } from "commander";
import type { GivenResult, LiveOptions, ReplayReport, Tape } from "@reenact/replay";
import { baseCommand, type BaseOptions, several } from "./base-command.ts";
import { CliError } from "../errors/cli-error.ts";
import { type RemoteOptions, withRemote } from "../remote/remote-options.ts";
import { resumeOptions } from "../replay/live-options.ts";
import { personAnswers } from "../replay/person-answers.ts";
import { type ReplayFlags, replayRun } from "../replay/replay-run.ts";
import { listRuns } from "../store/run-files.ts";
import { markResumed, unmarkResumed } from "../store/resumed-runs.ts";
import { shortId } from "../store/short-id.ts";
import { dollars } from "./dollars.ts";
import { seconds } from "./seconds.ts";

interface Options
  extends
    BaseOptions,
    RemoteOptions,
    Pick<
      ReplayFlags,
      | "env"
      | "json"
      | "jsonFile"
      | "maxCost"
      | "prices"
      | "sendOriginals"
      | "sendTokens"
      | "timeout"
      | "to"
      | "vault"
      | "vaultKey"
    > {
  answer: string[];
  again?: boolean;
}

export function resumeCommand(command: string[] | null): Command {
  const base = baseCommand("resume", "go on with a run that is suspended at a question, with the answer of a person", [
    "reenact resume @last --answer yes -- node agent.js",
    "reenact resume 7f3a91 --answer approve=true --answer limit=4200 -- node agent.js",
    "reenact resume 7f3a91 --answer @answer.json -- node agent.js",
  ]);
  return withRemote(base)
    .usage("[options] <run> --answer <value> -- <command...>")
    .argument("<run>", "run reference")
    .option(
      "--answer <[name=]value>",
      "what input() returns: JSON, or a text where it is none, or @file; with the name of the question where the run asks several (repeatable)",
      several,
      [],
    )
    .option("--again", "although the run was resumed before: what comes behind the question is done once more")
    .option("--max-cost <usd>", "send nothing more once live calls have cost so many dollars; needs --prices", dollars)
    .option("--prices <file>", "JSON with dollars per million tokens, by model, as the collector takes it")
    .option("--to <host>", "send calls of models, and your keys in them, also to this host (repeatable)", several, [])
    .option("--send-tokens", "send requests although they hold tokens that stand for redacted values")
    .option("--send-originals", "send originals from the vault also to who never got them")
    .option("--env <name>", "take this variable from here instead of from the record (repeatable)", several, [])
    .option("--vault <file>", "originals of redacted values, as reenact vault export wrote them; default: the store's")
    .option("--no-vault", "serve redacted values as they stand in the record")
    .option("--vault-key <file>", "responder's private key that opens the vault")
    .option("--timeout <seconds>", "kill it if it does not end by itself; 0: never", seconds, 0)
    .option("--json", "the report as JSON on standard output, after the program's own")
    .option("--json-file <path>", "write the report here")
    .addHelpText(
      "after",
      "\nThe steps before the question come from the record, and nothing is done twice; all behind it is real, in a run of its own.\nExit code: 0 it came to a good end, or is suspended again; 10 it did not, or is not as recorded before the question; 11 a call may not be sent; 12 --max-cost is reached.",
    )
    .action(async (reference: string, { answer, again, from, ...options }: Options) => {
      const flags: ReplayFlags = {
        ...options,
        ...(from === undefined ? {} : { from: { place: from } }),
        mode: "observe",
        runTool: [],
        serve: [],
        call: true,
        header: [],
        set: [],
        live: [],
      };
      const marked: string[] = [];
      const plan = (tape: Tape): { given: GivenResult[]; live: LiveOptions } => {
        const given = personAnswers(tape, answer, options.store);
        const live = resumeOptions(tape, flags);
        if (again !== true) refuseTwice(tape.runId, options.store);
        if (markResumed(options.store, tape.runId)) marked.push(tape.runId);
        else if (again !== true) throw markedBefore(tape.runId, options.store);
        return { given, live };
      };
      const undo = (): void => marked.forEach((run) => unmarkResumed(options.store, run));
      try {
        const report = await replayRun(reference, flags, command, plan, "resume");
        if (report !== null && hasDoneNothing(report)) undo();
      } catch (error) {
        if (error instanceof CliError && error.code === "REEN-CANNOT-START") undo();
        throw error;
      }
    });
}

/** It was stopped in the record. Of a program that was killed it is not known what it has done. */
const hasDoneNothing = ({ continued, stopped }: ReplayReport): boolean =>
  continued === undefined && stopped !== null && !["interrupted", "killed", "timeout"].includes(stopped.reason);

/** What comes behind the question, a payment for one, would be done twice. */
function refuseTwice(run: string, store: string): void {
  const before = listRuns(store).runs.find(
    ({ manifest: { replay } }) => replay?.mode === "resume" && replay.of === run && replay.continued !== undefined,
  );
  if (before === undefined) return;
  const id = shortId(before.header.run, store);
  throw new CliError(
    "REEN-USAGE",
    `run ${shortId(run, store)} was resumed before, as run ${id} (${before.header.status}): what comes behind the question would be done once more`,
    `reenact show ${id}; --again resumes it all the same`,
  );
}

const markedBefore = (run: string, store: string): CliError =>
  new CliError(
    "REEN-USAGE",
    `run ${shortId(run, store)} was resumed before, and has not ended or was killed: what comes behind the question may be done once more`,
    "reenact ls --replays shows what it did; --again resumes it all the same",
  );
