import { existsSync, readdirSync, readFileSync } from "node:fs";
import {
  openVault,
  type Originals,
  VaultError,
  type VaultFault,
  vaultFolder,
  vaultPath,
  vaultRun,
} from "@reenact/node/vault";
import { CliError } from "../errors/cli-error.ts";
import type { CliErrorCode } from "../errors/error-code.ts";
import { findRun } from "./run-reference.ts";

const CODES: Record<VaultFault, CliErrorCode> = {
  none: "REEN-NO-VAULT",
  erased: "REEN-NO-VAULT",
  expired: "REEN-NO-VAULT",
  "no-key": "REEN-VAULT-KEY",
  "wrong-key": "REEN-VAULT-KEY",
  damaged: "REEN-DAMAGED",
  newer: "REEN-NEWER-VERSION",
  unreadable: "REEN-STORE",
};

/** A vault that somebody has named: of which run, and in which file. */
export interface NamedVault {
  readonly run: string;
  readonly path: string;
}

/** By a run's name, by digits of its id where only its vault is left, or by a file that was exported. */
export function namedVault(store: string, reference: string): NamedVault {
  return told(() => {
    if (reference.endsWith(".vault") && existsSync(reference))
      return { run: vaultRun(readFileSync(reference), reference), path: reference };
    const run = runOf(store, reference);
    return { run, path: vaultPath(store, run) };
  });
}

function runOf(store: string, reference: string): string {
  try {
    return findRun(store, reference).header.run;
  } catch (error) {
    if (!(error instanceof CliError) || error.code !== "REEN-NO-RUN" || reference.startsWith("@")) throw error;
    const ids = vaultIds(store).filter((id) => id.startsWith(reference.toLowerCase()));
    const [only] = ids;
    if (ids.length === 1 && only !== undefined) return only;
    if (reference.length === 32) return reference.toLowerCase();
    throw error;
  }
}

function vaultIds(store: string): string[] {
  try {
    return readdirSync(vaultFolder(store)).flatMap((name) => /^([0-9a-f]{32})\.vault$/.exec(name)?.[1] ?? []);
  } catch {
    return [];
  }
}

/** The originals of a run, or the error that says why there are none. */
export function openedVault(store: string, { run, path }: NamedVault, key: string | undefined): Originals {
  return told(() => openVault(run, { store, file: path, key }));
}

function told<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof VaultError)
      throw new CliError(CODES[error.fault], error.message, error.next, { cause: error });
    throw error;
  }
}
