import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { vaultBeside } from "./vault-run.ts";

interface VaultOptions {
  store: string;
  /** file that was exported; false: `--no-vault` */
  vault?: string | false;
  vaultKey?: string;
}

/** The vault of a run that is served: the one that `--vault` names, else the one beside an exported run, else that of the store. */
export function vaultPlace(
  { store, vault, vaultKey: key }: VaultOptions,
  run: string,
): { store: string; file?: string; key?: string } | null {
  if (vault === false) return null;
  const file = typeof vault === "string" ? vault : vaultBeside(run);
  return {
    store: resolve(store),
    ...(typeof vault === "string" || existsSync(file) ? { file: resolve(file) } : {}),
    ...(key === undefined ? {} : { key: resolve(key) }),
  };
}
