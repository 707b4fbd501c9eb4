import { type WaitingRuns, waitingRuns } from "@reenact/node/send";
import { count } from "@reenact/view";
import { CliError } from "../errors/cli-error.ts";
import { shortIds } from "../render/short-ids.ts";
import { placeOptions } from "../remote/place-options.ts";

/** The error for a run that is in no store yet because it waits to be sent; null: the reference names no waiting run. */
export function waitingRun(store: string, reference: string): CliError | null {
  const position = /^@(last|failed|-\d{1,6})$/.test(reference);
  if (!position && !/^[0-9a-f]{4,32}$/i.test(reference)) return null;
  const wanted = reference.toLowerCase();
  for (const each of waitingIn(store)) {
    const { url, ids } = each;
    const named = position ? ids.slice(0, 1) : ids.filter((one) => one.startsWith(wanted));
    const [id] = named;
    if (id === undefined) continue;
    if (named.length > 1) {
      const some = named.slice(0, 4).map(shortIds(named, 12));
      const names = `${reference} names ${named.length} runs that wait in ${store}: ${some.join(", ")}`;
      return new CliError("REEN-AMBIGUOUS", names, "type more of the id");
    }
    const what = position
      ? `no run ${reference} can be read in ${store}: ${countOf(each)}`
      : `run ${id.slice(0, Math.max(6, wanted.length))} waits in ${store}`;
    const place = placeOptions({ store });
    const next = `reenact ship --local${place} keeps it here, where it can be read; or reenact ship${place}, once that address takes it`;
    return new CliError("REEN-NOT-SENT", `${what} to be sent to ${url}`, next);
  }
  return null;
}

const countOf = ({ runs }: WaitingRuns): string => `${count(runs, "run")} ${runs === 1 ? "waits" : "wait"}`;

/** Runs that only the collector is to have, by destination; empty where the spool cannot be read. */
function waitingIn(store: string): WaitingRuns[] {
  try {
    return waitingRuns(store).filter(({ onlyThere }) => onlyThere);
  } catch {
    return [];
  }
}
