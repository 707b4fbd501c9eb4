import { readFileSync } from "node:fs";
import { errorCode } from "@reenact/envelope";
import type { KeptRoot, KeptStep } from "@reenact/capture/recorder";
import { openEntries, readVault, sealedEntry, type VaultHead, vaultHead } from "./vault-file.ts";
import { endOfVault, vaultFolder, vaultPath } from "./vault-folder.ts";
import { localKey, localKeyPath, unwrapLocal, unwrapWith, wrapForRecipient } from "./vault-key.ts";
import { VaultError } from "./vault-error.ts";

/** The originals of one run. */
export interface Originals {
  readonly run: string;
  /** by number of the step */
  readonly steps: ReadonlyMap<number, KeptStep>;
  readonly root: KeptRoot;
  /** by token of the record */
  readonly values: ReadonlyMap<string, string>;
}

/** Where a vault is looked for, and with what it is opened. */
export interface VaultPlace {
  /** folder of the store, of which `vault/` holds the file, and which holds the key */
  readonly store: string;
  /** a vault that was exported; default: that of the store */
  readonly file?: string | undefined;
  /** file with a responder's private key; default: the store's own key */
  readonly key?: string | undefined;
}

/** Opens the vault of a run. Throws `VaultError`. */
export function openVault(run: string, { store, file, key }: VaultPlace): Originals {
  const path = file ?? vaultPath(store, run);
  const { head, sealed } = readVault(bytesOf(path, store, run), path);
  if (head.run !== run)
    throw new VaultError("none", `${path} is the vault of run ${head.run}`, "name that run, or the vault of this one");
  return originalsOf(head, sealed, keyOf(head, store, key), path);
}

/**
 * A copy of a run's vault that only one responder can open: the data key is wrapped for the recipient alone, and the sealed
 * entries are copied as they are. `entries` is their number. Throws `VaultError` if the vault cannot be opened here.
 */
export function vaultFor(recipient: string, run: string, place: VaultPlace): { bytes: Buffer; entries: number } {
  const path = place.file ?? vaultPath(place.store, run);
  const { head, sealed } = readVault(bytesOf(path, place.store, run), path);
  const dataKey = keyOf(head, place.store, place.key);
  // a damaged vault is an error here, not later for the responder
  openEntries(sealed, dataKey, head.run, path);
  const keys = [wrapForRecipient(dataKey, recipient, head.run)];
  return { bytes: Buffer.concat([vaultHead({ ...head, keys }), ...sealed.map(sealedEntry)]), entries: sealed.length };
}

function bytesOf(path: string, store: string, run: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    if (errorCode(cause) !== "ENOENT")
      throw new VaultError("unreadable", `cannot read ${path}: ${(cause as Error).message}`, "make it readable", {
        cause,
      });
  }
  const end = endOfVault(store, run);
  if (end !== null)
    throw new VaultError(
      end,
      end === "erased"
        ? `the originals of run ${run} were erased (${vaultFolder(store)}/audit.log says when)`
        : `the originals of run ${run} have expired: their time was over (${vaultFolder(store)}/audit.log says when)`,
      "record the run again",
    );
  throw new VaultError(
    "none",
    `there is no vault of run ${run} in ${vaultFolder(store)}: nothing was redacted that may be kept, or it was recorded elsewhere or with vault off`,
    "name the store in which the run was recorded with --store, or record it again",
  );
}

function keyOf(head: VaultHead, store: string, key: string | undefined): Buffer {
  if (key !== undefined) return unwrapWith(head.keys, key, head.run);
  const local = localKey(store, false);
  if (local === null)
    throw new VaultError(
      "no-key",
      `there is no ${localKeyPath(store)} to open the vault of run ${head.run}`,
      "give a responder's private key with --key (or --vault-key), or name the store in which the run was recorded",
    );
  return unwrapLocal(head.keys, local, head.run, localKeyPath(store));
}

function originalsOf(head: VaultHead, sealed: readonly Uint8Array[], dataKey: Buffer, path: string): Originals {
  const steps = new Map<number, KeptStep>();
  const values = new Map<string, string>();
  let root: KeptRoot = {};
  for (const entry of openEntries(sealed, dataKey, head.run, path)) {
    for (const [token, value] of Object.entries(entry.values ?? {})) if (!values.has(token)) values.set(token, value);
    if (entry.kind === "step") steps.set(entry.step, entry);
    else if (entry.kind === "root") {
      const { input = root.input, environment, files } = entry;
      root = {
        ...(input === undefined ? {} : { input }),
        environment: { ...root.environment, ...environment },
        files: { ...root.files, ...files },
      };
    }
  }
  return { run: head.run, steps, root, values };
}
