import type { ShipReport } from "@reenact/node/send";
import { CliError } from "./cli-error.ts";
import type { CliErrorCode } from "./error-code.ts";
import { count } from "./terminal-text.ts";

type Waiting = ShipReport["waiting"][number];

const CODES: Record<Waiting["trouble"]["kind"], readonly [CliErrorCode, string]> = {
  away: ["REEN-SERVER", "start it, then reenact ship; or reenact ship --local keeps them here"],
  busy: ["REEN-SERVER", "reenact ship, later"],
  key: ["REEN-UNAUTHORISED", "set REENACT_API_KEY to a key with the scope ingest, then reenact ship"],
  stranger: ["REEN-NOT-A-COLLECTOR", "correct REENACT_ENDPOINT; reenact ship --local keeps here what was recorded"],
  setting: ["REEN-SERVER", "correct the address or its settings, then reenact ship"],
};

/** Why recorded runs still wait to be sent, and what to do. */
export function sendTrouble({ target, runs, trouble }: Waiting, where: string): CliError {
  const [code, next] = CODES[trouble.kind];
  const what = runs.length === 1 ? `run ${runs[0]?.run.slice(0, 6)} is` : `${count(runs.length, "run")} are`;
  return new CliError(code, `${what} not sent to ${target.url}: ${trouble.why}; kept in ${where}`, next);
}

/** A destination that said for good that it will not take something; what the collector did not take is kept here. */
export function refusalLine({ target, spans, why }: ShipReport["refused"][number]): string {
  const kept = target.view === "record" ? "; the run is kept in the local store" : "";
  return `reenact: ${target.url} will not take ${count(spans, "span")}: ${why}${kept}\n`;
}

export function droppedLine(runs: number, store: string): string {
  return `reenact: ${count(runs, "recorded run")} dropped: the spool in ${store} was full of what nobody takes\n`;
}
