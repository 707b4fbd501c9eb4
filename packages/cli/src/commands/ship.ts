import type { Command } from "commander";
import { type HeldRuns, sealSpool } from "@reenact/node/seal";
import { type ShipReport, shipStore } from "@reenact/node/send";
import { count, oneLine } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError } from "../errors/cli-error.ts";
import { environment } from "../process/environment.ts";
import { heldBack, livingLine } from "../errors/held-back.ts";
import { shortIds } from "../render/short-ids.ts";
import { placeOptions } from "../remote/place-options.ts";
import { droppedLine, refusalLine, sendTrouble } from "../errors/send-trouble.ts";

interface Options extends BaseOptions {
  json?: boolean;
  local?: boolean;
}

export function shipCommand(): Command {
  return baseCommand("ship", "send what was recorded while its collector was away, or keep it here", [
    "reenact ship",
    "REENACT_ENDPOINT=https://collector.example REENACT_API_KEY=… reenact ship",
    "reenact ship --local",
  ])
    .option("--local", "seal it into the local store instead; it is then no longer sent")
    .option("--json", "machine-readable")
    .action(async (options: Options) => {
      if (options.local) keepHere(options);
      else await ship(options);
    });
}

function keepHere({ store, json, quiet }: Options): void {
  let runs: string[];
  const held: HeldRuns[] = [];
  try {
    runs = sealSpool(store, { unsent: true, held: (each) => held.push(each) }).map(({ run }) => run);
  } catch (error) {
    throw CliError.store(store, "a recording cannot be sealed into", error);
  }
  const told = { local: runs, sent: [], waiting: [], held: toldOf(held) };
  if (json) process.stdout.write(`${JSON.stringify({ schemaVersion: 1, ...told })}\n`);
  else if (!quiet) {
    process.stdout.write(`${count(runs.length, "run")} kept in ${store}\n`);
    process.stderr.write(livingLine(held, store));
  }
  tellAll(heldBack(held, store, `reenact ship --local${placeOptions({ store })}`));
}

async function ship({ store, json, quiet }: Options): Promise<void> {
  let report: ShipReport;
  try {
    report = await shipStore(store, { env: environment() });
    if (report.refused.length > 0) sealSpool(store);
  } catch (error) {
    throw CliError.store(store, "what waits cannot be read in", error);
  }
  const { sent, waiting, held, refused } = report;
  if (json) {
    const told = {
      sent: sent.map(({ run, target }) => ({ run, to: target.url })),
      waiting: waiting.map(({ target, runs, trouble }) => ({ to: target.url, runs: runs.length, why: trouble.why })),
      held: toldOf(held),
      refused: refused.map(({ target, spans, why }) => ({ to: target.url, spans, why })),
    };
    process.stdout.write(`${JSON.stringify({ schemaVersion: 1, local: [], ...told })}\n`);
  } else {
    const short = shortIds(sent.map(({ run }) => run));
    for (const { run, target } of sent) process.stdout.write(`run ${short(run)} → ${oneLine(target.url, 200)}\n`);
    if (!quiet)
      process.stderr.write(
        sent.length + waiting.length + held.length === 0 ? "nothing waits to be sent\n" : livingLine(held, store),
      );
  }
  for (const each of refused) process.stderr.write(refusalLine(each));
  if (report.dropped > 0) process.stderr.write(droppedLine(report.dropped, store));
  const place = placeOptions({ store });
  const troubles = waiting.map((each) => sendTrouble(each, store, place));
  tellAll([...troubles, ...heldBack(held, store, `reenact ship${place}`)]);
}

const toldOf = (held: readonly HeldRuns[]): object[] =>
  held.map(({ runs, why, pid, againMs }) => ({ runs, why, pid, againMs }));

/** The first one is what the command ends with. */
function tellAll([first, ...others]: CliError[]): void {
  for (const each of others) process.stderr.write(each.line);
  if (first !== undefined) throw first;
}
