import { spawn } from "node:child_process";
import { stillSealing } from "@reenact/node/seal";
import { count } from "@reenact/view";
import { environment } from "../process/environment.ts";

/** Runs of each store that this process has left to another one. */
const left = new Map<string, number>();

/** Starts a process that seals the runs of a store that this one has no time for, and that goes on when this one ends. */
export function sealInBackground(store: string, runs: number): void {
  left.set(store, runs);
  const args = [process.argv[1] ?? "", "seal", "--quiet", "--store", store];
  const env = { ...environment(), REENACT_DISABLED: "1" };
  const child = spawn(process.execPath, args, { env, stdio: "ignore", detached: true });
  // what is not sealed now is left where it is: the next command begins again
  child.on("error", () => {});
  child.unref();
}

/** Another process seals runs of this store. Null: none does. */
export function sealingOf(store: string): string | null {
  const runs = left.get(store);
  const pids = stillSealing(store);
  if (runs === undefined && pids.length === 0) return null;
  const by = pids.length === 0 ? "" : ` (pid ${pids.join(", ")})`;
  const what = runs === undefined ? "recorded runs" : `about ${count(runs, "older run")}`;
  return `${what} ${runs === 1 ? "is" : "are"} being sealed in the background${by}, and can be seen then`;
}
