import { readdirSync } from "node:fs";
import { join } from "node:path";
import { RUNS_PREFIX } from "@reenact/envelope/pack";
import { collectorFolders } from "../process/collector-package.ts";

/** The folder of packs that a collector of this store has left; null: there are none. */
export function leftPacks(store: string): string | null {
  const { store: folder } = collectorFolders(store, undefined);
  return holdsFile(join(folder, RUNS_PREFIX)) ? folder : null;
}

/** Stops at the first: there may be very many. */
function holdsFile(folder: string): boolean {
  try {
    return readdirSync(folder, { withFileTypes: true }).some((each) =>
      each.isDirectory() ? holdsFile(join(folder, each.name)) : each.isFile(),
    );
  } catch {
    return false;
  }
}
