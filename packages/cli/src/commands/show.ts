import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Command } from "commander";
import type { EnvelopeError } from "@reenact/envelope";
import type { Envelope } from "@reenact/envelope/file";
import { contextOf, explainStep, redactionsOf, runView, stepsOf } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { stepNumber, stepOf } from "./step-argument.ts";
import { CliError } from "../errors/cli-error.ts";
import { openStore } from "../store/open-store.ts";
import { painter } from "../render/painter.ts";
import { type RemoteOptions, withRemote } from "../remote/remote-options.ts";
import { namedRun } from "../remote/named-run.ts";
import { type OpenedRun, openRun } from "../store/run-source.ts";
import { shortId } from "../store/short-id.ts";
import { printStep, printTranscript } from "../render/transcript.ts";
import { openInBrowser } from "../process/open-browser.ts";
import { remoteReference } from "../remote/remote-reference.ts";
import { standingServer } from "../remote/standing-server.ts";
import { pageOf } from "../render/page-of-run.ts";
import { printContext } from "../render/step-context.ts";
import { printRedactions } from "../render/redaction-report.ts";

interface Options extends BaseOptions, RemoteOptions {
  json?: boolean;
  step?: number;
  raw?: boolean;
  redactions?: boolean;
  context?: boolean;
  web?: boolean;
  open: boolean;
}

export function showCommand(): Command {
  const command = baseCommand("show", "one run as a transcript, one of its steps, or the raw spans", [
    "reenact show @last",
    "reenact show 7f3a91 --step 4",
    "reenact show 7f3a91 4 --context",
    "reenact show @failed --json",
    "reenact show 7f3a91 --redactions",
    "reenact show @last --web",
    "reenact show 7f3a91 --server https://collector.example",
  ]);
  return withRemote(command)
    .argument("<run>", "run reference")
    .argument("[step]", "as --step", stepNumber)
    .option("--step <n>", "one step whole, by its number from 1", stepNumber)
    .option("--raw", "every span with its attributes, as JSON lines")
    .option("--redactions", "what was replaced in each step: by which rule, how often and where, without values")
    .option("--context", "of a step: what the model had read, text by text, and what is new since the call before")
    .option("--web", "in the browser: its page, or a file of it where no collector runs; prints the address")
    .option("--no-open", "with --web: print the address only")
    .option("--json", "machine-readable")
    .action(async (reference: string, step: number | undefined, given: Options) => {
      const options = withStep(given, step, reference);
      openStore(options.store);
      const opened = await openRun(reference, options, { damaged: "read-up-to" });
      const { run } = opened;
      if (options.web) return showInBrowser(run, reference, options);
      if (run.damage !== null) process.stderr.write(shownUpTo(opened, run.damage).line);
      if (options.raw) {
        for (const { span } of run.spans)
          process.stdout.write(`${JSON.stringify(span, (_, v: unknown) => (typeof v === "bigint" ? String(v) : v))}\n`);
        return;
      }
      const view = runView(run);
      const { steps } = view;
      const wanted = options.step === undefined ? null : stepOf(steps, options.step, reference);
      if (options.context && wanted !== null) showContext(run, wanted.step, reference, options);
      else if (options.redactions) {
        const redactions = redactionsOf(wanted === null ? steps : [wanted]);
        process.stdout.write(
          options.json ? `${JSON.stringify({ schemaVersion: 1, redactions })}\n` : printRedactions(redactions),
        );
      } else if (options.json) {
        const { spans: _, ...facts } = run.manifest;
        const manifest = { ...facts, class: opened.class, flags: opened.flags };
        process.stdout.write(
          `${JSON.stringify({ schemaVersion: 1, manifest, steps: wanted === null ? steps : [wanted] })}\n`,
        );
      } else if (wanted !== null) process.stdout.write(printStep(wanted));
      else {
        const id = shortId(run.header.run, options.store, reference);
        const context = { id, flags: opened.flags, named: namedRun(run.header.run, reference, options) };
        process.stdout.write(printTranscript(view, painter(process.stdout), context));
      }
    });
}

/** On the page of the collector that has the run, else as one file, which a browser opens without a collector. */
async function showInBrowser(run: Envelope, reference: string, options: Options): Promise<void> {
  const id = run.header.run;
  const isFile = /[./\\]/.test(reference);
  const server = remoteReference(reference, options)?.address ?? (isFile ? null : standingServer(options.store));
  let address: string;
  if (server !== null && /^https?:/.test(server)) {
    const step = options.step === undefined ? "" : `?step=${options.step}`;
    address = `${server.replace(/\/+$/, "")}/r/${id}${step}`;
  } else {
    const folder = mkdtempSync(join(tmpdir(), "reenact-page-"));
    const file = join(folder, `${id.slice(0, 12)}.html`);
    writeFileSync(file, await pageOf(run, reference), { mode: 0o600 });
    address = `${pathToFileURL(file).href}${options.step === undefined ? "" : `#/r/${id}?step=${options.step}`}`;
  }
  process.stdout.write(`${address}\n`);
  if (options.open) await openInBrowser(address);
}

function withStep(given: Options, step: number | undefined, reference: string): Options {
  const options = step === undefined ? given : { ...given, step };
  if (options.context && options.step === undefined)
    throw new CliError("REEN-USAGE", "--context is of one step", `reenact show ${reference} <step> --context`);
  return options;
}

/** What the model had read at a step; at that of a tool: when it asked for the tool. */
function showContext(run: Envelope, step: number, reference: string, options: Options): void {
  const steps = stepsOf(run);
  const context = contextOf(steps, step) ?? contextOf(steps, explainStep(run, step)[0]?.askedBy ?? 0);
  if (context === null)
    throw new CliError(
      "REEN-NO-STEP",
      `step ${step} is no model call, and no model asked for it`,
      `reenact show ${reference} lists the steps`,
    );
  const named = namedRun(run.header.run, reference, options);
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ schemaVersion: 1, context })}\n`
      : printContext(context, painter(process.stdout), named),
  );
}

/** What its error would advise has been done. */
function shownUpTo({ place }: OpenedRun, damage: EnvelopeError): CliError {
  const { code, message } = CliError.from(damage, `${place}: what is before the damage is shown`);
  return new CliError(code, message, "bring the file here again from where it came", { cause: damage });
}
