import { sealSpool } from "@reenact/node/seal";
import { tidyVaults } from "@reenact/node/vault";
import { CliError } from "../errors/cli-error.ts";
import { runPaths } from "./run-files.ts";

/**
 * Throws where the store cannot be read. Deletes vaults whose time is over, and seals what dead processes have left in the store. What cannot be sealed is a line and stays where it is, so that a
 * store that can only be read can still be read.
 */
export function openStore(store: string, options: { launch?: string } = {}): void {
  runPaths(store);
  tidyVaults(store);
  try {
    sealSpool(store, options);
  } catch (error) {
    process.stderr.write(CliError.store(store, "a recording cannot be sealed into", error).line);
  }
}
