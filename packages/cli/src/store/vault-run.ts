import { chmodSync, constants, copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import {
  audit,
  isRecipient,
  openVault,
  type Originals,
  VaultError,
  vaultFor,
  type VaultFault,
  vaultFolder,
  vaultPath,
  vaultRun,
} from "@reenact/node/vault";
import { CliError, messageOf } from "../errors/cli-error.ts";
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

/** A vault that the user has named: of which run, and in which file. */
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

/** Writes the originals of a run to a new file that only one responder can open, and a line to the audit log. */
export function writeVaultFor(
  recipient: string,
  { run, path }: NamedVault,
  file: string,
  { store, key }: { readonly store: string; readonly key?: string },
): void {
  if (!isRecipient(recipient))
    throw new CliError(
      "REEN-USAGE",
      "that is no responder's public key: reenact-vault-public:…",
      "reenact vault keygen",
    );
  const { bytes, entries } = told(() => vaultFor(recipient, run, { store, file: path, key }));
  try {
    audit(store, "export", run, entries);
    writeFileSync(file, bytes, { mode: 0o600, flag: "wx" });
  } catch (error) {
    throw new CliError("REEN-OUTPUT", `cannot write ${file}: ${messageOf(error)}`, "name a new file", { cause: error });
  }
}

/** Where `export --vault-for` puts the vault of the run in `file`, and `import` looks for it. */
export const vaultBeside = (file: string): string => `${file}.vault`;

/**
 * Copies the vault that lies beside an imported file into the store, if it belongs to one of `runs` and the store has no
 * vault of that run. Returns the id of that run; null if nothing was copied.
 */
export function importVault(store: string, file: string, runs: readonly string[]): string | null {
  const from = vaultBeside(file);
  if (!existsSync(from)) return null;
  const run = told(() => vaultRun(readFileSync(from), from));
  if (!runs.includes(run)) return null;
  try {
    const to = vaultPath(store, run);
    if (existsSync(to)) return null;
    audit(store, "import", run, 1);
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    chmodSync(to, 0o600);
    return run;
  } catch (error) {
    throw CliError.store(store, "a vault cannot be written in", error);
  }
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
