import { stillRecording } from "@reenact/node/seal";
import { waitingRuns } from "@reenact/node/send";
import { count } from "@reenact/view";
import { placeOptions } from "../remote/place-options.ts";
import { leftPacks } from "../remote/left-packs.ts";
import { standingServer } from "../remote/standing-server.ts";
import { leftUp } from "../remote/up-address.ts";
import { sealingOf } from "./background-sealing.ts";
import { shellWords } from "../render/shell-words.ts";

/** Lines on runs that a list of this store does not show, and how they come into sight. */
export function unreadRuns(store: string): string[] {
  const place = placeOptions({ store });
  const lines: string[] = [];
  for (const { url, runs, onlyThere } of waitingRuns(store))
    if (onlyThere) lines.push(`${count(runs, "run")} not sent to ${url} yet. Next: reenact ship${place}`);
  const recording = recordingOf(store);
  if (recording !== null) lines.push(recording);
  const sealing = sealingOf(store);
  if (sealing !== null) lines.push(sealing);
  if (standingServer(store) !== null) return lines;
  const left = leftOf(store);
  if (left !== null) lines.push(`${left.what}. Next: ${left.next}`);
  const packs = leftPacks(store);
  if (packs !== null)
    lines.push(`${packs} holds runs of a collector that has stopped. Next: reenact ls --from ${shellWords([packs])}`);
  return lines;
}

/** Processes that live keep their runs in the spool. Null: there is none. */
export function recordingOf(store: string): string | null {
  const pids = stillRecording(store);
  if (pids.length === 0) return null;
  const some = `pid ${pids.slice(0, 4).join(", ")}${pids.length > 4 ? ", …" : ""}`;
  return pids.length === 1
    ? `1 process still records (${some}): its runs appear when it ends`
    : `${pids.length} processes still record (${some}): their runs appear when they end`;
}

/** What a collector of this store has received and not sealed before its end is in its journal only. Null: nothing is. */
export function leftOf(store: string): { what: string; next: string } | null {
  const left = leftUp(store);
  if (left === null) return null;
  const runs =
    left.runs === null ? "runs may wait" : `${count(left.runs, "run")} ${left.runs === 1 ? "waits" : "wait"}`;
  return {
    what: `${runs} in ${left.folder} for the collector that has stopped to seal them`,
    next: `reenact up${placeOptions({ store })}`,
  };
}
