import type { ShipReport } from "@reenact/node/send";
import { count } from "@reenact/view";
import { CliError } from "./cli-error.ts";
import type { CliErrorCode } from "./error-code.ts";
import { shortIds } from "../render/short-ids.ts";
import { shellWords } from "../render/shell-words.ts";

type Waiting = ShipReport["waiting"][number];

const CODES: Record<Waiting["trouble"]["kind"], CliErrorCode> = {
  away: "REEN-SERVER",
  busy: "REEN-SERVER",
  key: "REEN-UNAUTHORISED",
  stranger: "REEN-NOT-A-COLLECTOR",
  setting: "REEN-SERVER",
};

/** Why recorded runs still wait to be sent, and what to do. `place`: options with which a command finds the store, a blank ahead. */
export function sendTrouble({ target, runs, trouble }: Waiting, where: string, place: string): CliError {
  const [first] = runs;
  const what =
    first !== undefined && runs.length === 1 ? `run ${shortIds([])(first.run)} is` : `${count(runs.length, "run")} are`;
  const message = `${what} not sent to ${target.url}: ${trouble.why}; kept in ${where}`;
  return new CliError(CODES[trouble.kind], message, nextOf(trouble.kind, target, `reenact ship${place}`));
}

function nextOf(kind: Waiting["trouble"]["kind"], target: Waiting["target"], ship: string): string {
  switch (kind) {
    case "away":
      return `start it, then ${ship}; or ${ship} --local keeps them here`;
    case "busy":
      return `${ship}, later`;
    case "stranger":
      return `correct REENACT_ENDPOINT; ${ship} --local keeps here what was recorded`;
    case "setting":
      return `correct the address or its settings, then ${ship}`;
    case "key":
      return `${credentials(target)}, then ${ship}`;
  }
}

/** A key goes only to the address that is named with it: both have to be there. */
function credentials({ url, view }: Waiting["target"]): string {
  const address = shellWords([url]);
  if (view === "record")
    return `set REENACT_ENDPOINT=${address} and, beside it, REENACT_API_KEY to a key with the scope ingest`;
  const full = view === "full" ? " and REENACT_FORWARD_VIEW=full" : "";
  return (
    `set REENACT_FORWARD=${address}${full} and, beside it, REENACT_FORWARD_HEADERS to what it asks for, ` +
    "such as authorization=Bearer%20… (after REENACT_EXPORT=otel: OTEL_EXPORTER_OTLP_HEADERS)"
  );
}

/** For spans that a destination refuses for good; those that the collector refuses are kept in the local store. */
export function refusalLine({ target, spans, why }: ShipReport["refused"][number]): string {
  const kept = target.view === "record" ? "; the run is kept in the local store" : "";
  return `reenact: ${target.url} refuses ${count(spans, "span")}: ${why}${kept}\n`;
}

/** For runs that were deleted to make room in the spool. */
export function droppedLine(runs: number, store: string): string {
  return `reenact: ${count(runs, "recorded run")} dropped: the spool in ${store} was full of runs that no destination accepts\n`;
}
