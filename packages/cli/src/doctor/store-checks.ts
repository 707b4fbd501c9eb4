import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { errorCode } from "@reenact/envelope";
import { readEnvelope } from "@reenact/envelope/file";
import { waitingRuns } from "@reenact/node/send";
import { count } from "@reenact/view";
import { messageOf } from "../errors/cli-error.ts";
import { openStore } from "../store/open-store.ts";
import { listRuns } from "../store/run-files.ts";
import { shellWords } from "../render/shell-words.ts";
import { type Check, fail, pass } from "./check.ts";

/** So much of a store is read whole at most, the newest runs first. */
const MOST_RUNS = 200;
const MOST_BYTES = 128 * 1024 * 1024;

export function storeWritable(store: string): Check {
  const path = resolve(store);
  try {
    if (existsSync(path) && !statSync(path).isDirectory())
      return fail("store", `${path} is a file, not a folder`, "name another folder with --store or REENACT_STORE");
    if (existsSync(path)) accessSync(path, constants.W_OK | constants.X_OK);
    else accessSync(resolve(path, ".."), constants.W_OK | constants.X_OK);
    return pass("store", existsSync(path) ? path : `${path} (made by the first run)`);
  } catch (error) {
    return fail("store", `${path}: ${messageOf(error)}`, "name another folder with --store or REENACT_STORE");
  }
}

export function waiting(store: string): Check[] {
  return waitingRuns(store).map(({ url, runs }) =>
    pass("waiting", `${count(runs, "recorded run")} ${runs === 1 ? "waits" : "wait"} for ${url}. Next: reenact ship`),
  );
}

/** Which runs of the store can be read: every header, and as many of the newest whole as the bounds allow. */
export function readable(store: string): Check[] {
  openStore(store);
  const { damaged, runs } = listRuns(store);
  const bad = damaged.map(({ path, error }) => unreadable(path, error));
  let [whole, bytes] = [0, 0];
  for (const { path } of runs.slice(0, MOST_RUNS)) {
    try {
      bytes += statSync(path).size;
      if (bytes > MOST_BYTES && whole > 0) break;
      whole++;
      const { damage } = readEnvelope(readFileSync(path), { damaged: "read-up-to" });
      const show = `move the file away; reenact show ${shellWords([path])} reads what is before the damage`;
      if (damage !== null) bad.push(fail("runs", `${path}: ${messageOf(damage)}`, show));
    } catch (error) {
      // what another command has just taken away is no damage
      if (errorCode(error) !== "ENOENT") bad.push(unreadable(path, error));
    }
  }
  if (bad.length > 0) return bad;
  const rest = whole === runs.length ? "" : `; of ${count(runs.length - whole, "older one")} the header only`;
  return [pass("runs", `${runs.length} in the store, ${whole === 0 ? "none" : whole} read whole: all readable${rest}`)];
}

const unreadable = (path: string, error: unknown): Check =>
  fail("runs", `${path}: ${messageOf(error)}`, "move the file away, or bring it here again from where it came");
