import fs from "node:fs";
import { userInfo } from "node:os";
import { basename, join, resolve } from "node:path";
import { makeFolder } from "@reenact/envelope";

const RUN_ID = /^[0-9a-f]{32}$/;
const NAME = /^([0-9a-f]{32})\.vault$/;
const DAY_MS = 86_400_000;

export type AuditAction = "unseal" | "erase" | "expire" | "export" | "import";

/** Why a vault is not there any more. */
export type VaultEnd = "erased" | "expired";

export const vaultFolder = (store: string): string => join(resolve(store), "vault");

export function vaultPath(store: string, run: string): string {
  // a name out of recorded data must never become a path
  if (!RUN_ID.test(run)) throw new TypeError("not a run id");
  return join(vaultFolder(store), `${run}.vault`);
}

/** Appends one line to the audit log of a store. Throws what the file system throws. */
export function audit(store: string, action: AuditAction, run: string, count: number): void {
  const folder = vaultFolder(store);
  makeFolder(fs, folder);
  const line = JSON.stringify({ time: new Date().toISOString(), action, user: userName(), run, count });
  fs.appendFileSync(join(folder, "audit.log"), `${line}\n`, { mode: 0o600 });
}

/** How the vault of a run ended; null: there is no sign of one. */
export function endOfVault(store: string, run: string): VaultEnd | null {
  try {
    const lines = fs.readFileSync(join(vaultFolder(store), "audit.log"), "utf8").split("\n");
    const own = lines.filter((line) => line.includes(`"run":"${run}"`));
    if (own.some((line) => line.includes(`"action":"erase"`))) return "erased";
    return own.some((line) => line.includes(`"action":"expire"`)) ? "expired" : null;
  } catch {
    return null;
  }
}

/** Deletes the originals of a run: false if there were none. The log records that they existed. */
export function eraseVault(store: string, run: string): boolean {
  const path = vaultPath(store, run);
  if (!fs.existsSync(path)) return false;
  audit(store, "erase", run, 1);
  fs.rmSync(path);
  return true;
}

/** Deletes vaults that were last written so many days ago, which the log says. Never throws. */
export function pruneVaults(store: string, days: number): void {
  for (const path of olderThan(store, days)) {
    try {
      fs.rmSync(path);
      audit(store, "expire", NAME.exec(basename(path))?.[1] ?? "", 1);
    } catch {
      // not ours to clean
    }
  }
}

export const hasVaultOlderThan = (store: string, days: number): boolean => olderThan(store, days).length > 0;

function olderThan(store: string, days: number): string[] {
  try {
    const folder = vaultFolder(store);
    const paths = fs.readdirSync(folder).flatMap((name) => (NAME.test(name) ? [join(folder, name)] : []));
    return paths.filter((path) => Date.now() - fs.statSync(path).mtimeMs > days * DAY_MS);
  } catch {
    return [];
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? "unknown");
  }
}
