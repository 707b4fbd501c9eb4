import { type Command, Option } from "commander";
import { baseCommand, several } from "./base-command.ts";
import { withRemote } from "../remote/remote-options.ts";
import { fromOption } from "../replay/from-option.ts";
import { givenResults } from "../replay/given-results.ts";
import { liveOptions } from "../replay/live-options.ts";
import { refuseUnknownTools } from "../replay/known-tools.ts";
import { type ReplayFlags, replayRun } from "../replay/replay-run.ts";
import { dollars } from "./dollars.ts";
import { seconds } from "./seconds.ts";
import { numberOrZero, stepNumber } from "./step-argument.ts";

export function replayCommand(command: string[] | null): Command {
  const remote = baseCommand("replay", "run your code again, every LLM and tool call served from a recorded run", [
    "reenact replay @last -- node agent.js",
    "reenact replay 7f3a91 --run-tool delete_order -- node agent.js",
    "reenact replay 7f3a91 --from 5 -- node agent.js",
    "reenact replay 7f3a91 --fork 5 --set prompt.5=@prompt.txt --prices prices.json --max-cost 0.50 -- node agent.js",
    "reenact replay failed.reenact --mode strict --json-file report.json -- node agent.js",
    "reenact replay s3://bucket/runs/7f3a91 -- node agent.js",
  ]);
  return withRemote(remote, fromOption())
    .usage("[options] <run> -- <command...>")
    .argument("<run>", "run reference")
    .addOption(
      new Option("--mode <mode>", "strict stops at the first call that differs from the record")
        .choices(["observe", "strict"])
        .default("observe"),
    )
    .option("--run-tool <name>", "run the body of this tool or step instead of serving it (repeatable)", several, [])
    .option("--serve <name>", "serve this tool or step although it has inner steps (repeatable)", several, [])
    .option(
      "--set <tool.name[@n]=value>",
      "return this from a tool or step, or with input.name from input(), instead of its recorded result: JSON, or @file; with something live, prompt.<step>=, system=, model= and params.<name>= change what is sent (repeatable)",
      several,
      [],
    )
    .option("--until <step>", "end behind the answer of this step, counted from 1", stepNumber)
    .option(
      "--live <what>",
      "make calls real: llm (models, where a request is edited or not as recorded), tools (all bodies run, with all that they do), or the name of a provider, host, tool, step or question (repeatable)",
      several,
      [],
    )
    .option("--live-after <step>", "serve so many steps from the record; later calls of models are real", numberOrZero)
    .option(
      "--fork <step>",
      "as --live-after, from this step on: it is made anew, with what --set gives it",
      stepNumber,
    )
    .option("--max-cost <usd>", "send nothing more once live calls have cost so many dollars; needs --prices", dollars)
    .option("--prices <file>", "JSON with dollars per million tokens, by model, as the collector takes it")
    .option(
      "--to <host>",
      "send live calls, and your keys in them, also to this host; otherwise they go to the providers' own hosts and to those that your variables name (repeatable)",
      several,
      [],
    )
    .option("--send-tokens", "send requests although they hold tokens that stand for redacted values")
    .option("--send-originals", "send originals from the vault also to who never got them")
    .option("--dry-run", "start nothing: say to which hosts live calls would go, with whose keys, and up to which cost")
    .option("--allow-unrecorded-tools", "run the bodies of tools that were not recorded; files go to a scratch copy")
    .option(
      "--cold",
      "of a server: without the earlier runs of its process or session, which are called first otherwise",
    )
    .option(
      "--no-call",
      "of a server: wait for the request instead of sending it, or calling the recorded agent() with its arguments",
    )
    .option(
      "--header <name: value>",
      "of a request to a server: this header instead of the recorded one, which may be redacted (repeatable)",
      several,
      [],
    )
    .option("--env <name>", "take this variable from here instead of from the record (repeatable)", several, [])
    .option("--vault <file>", "originals of redacted values, as reenact vault export wrote them; default: the store's")
    .option("--no-vault", "serve redacted values as they stand in the record")
    .option("--vault-key <file>", "responder's private key that opens the vault")
    .option("--timeout <seconds>", "kill a replay that does not end by itself; 0: never", seconds, 600)
    .option("--json", "the report as JSON on standard output, after the program's own")
    .option("--json-file <path>", "write the report here")
    .option("--progress-file <path>", "append each call with its verdict here as it comes, one line of JSON")
    .addHelpText(
      "after",
      "\nExit code: 0 identical, or live calls came to a good end; 10 diverged; 11 the recording is incomplete, a tool was not recorded, or a live call may not be sent; 12 --max-cost is reached.",
    )
    .action(async (reference: string, options: ReplayFlags) => {
      await replayRun(reference, options, command, (tape) => {
        refuseUnknownTools(tape, options);
        const given = givenResults(tape, options);
        return { given, live: liveOptions(tape, { ...options, comparedFrom: options.from?.step }, given) };
      });
    });
}
