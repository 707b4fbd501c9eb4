import { sealSpool } from "@reenact/node/seal";
import { tidyVaults } from "@reenact/node/vault";
import { CliError } from "../errors/cli-error.ts";
import { sealInBackground } from "./background-sealing.ts";
import { checkReadable } from "./run-files.ts";

/** Milliseconds that a command spends on sealing before it does what it is for, and runs that it seals in any case: a list shows 50. */
const SEAL_MS = 1000;
const SEALED_FIRST = 100;

export interface OpenOptions {
  readonly launch?: string;
  /** every run has to be there: all are sealed, however long that takes. Default: the newest are, the rest in the background */
  readonly whole?: boolean;
}

/**
 * Throws where the store cannot be read. Deletes vaults whose time is over, and seals what dead processes have left in the store. What cannot be sealed is a line and stays where it is, so that a
 * store that can only be read can still be read.
 */
export function openStore(store: string, { launch, whole = false }: OpenOptions = {}): void {
  checkReadable(store);
  tidyVaults(store);
  try {
    sealSpool(store, {
      ...(launch === undefined ? {} : { launch }),
      ...(whole || launch !== undefined
        ? {}
        : { budgetMs: SEAL_MS, leastRuns: SEALED_FIRST, left: (runs) => sealInBackground(store, runs) }),
    });
  } catch (error) {
    process.stderr.write(CliError.store(store, "a recording cannot be sealed into", error).line);
  }
}
