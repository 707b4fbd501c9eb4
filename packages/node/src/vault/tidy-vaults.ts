import { readConfig } from "../config/config.ts";
import { hasVaultOlderThan, pruneVaults } from "./vault-folder.ts";
import { DAYS, vaultSettings } from "./vault-settings.ts";

/** The configuration is not read for vaults younger than that. */
const SHORTEST_DAYS = 1 / 24;

/** Deletes the vaults of a store whose time is over. Never throws. */
export function tidyVaults(store: string): void {
  if (!hasVaultOlderThan(store, SHORTEST_DAYS)) return;
  const settings = vaultSettings({ ...readConfig().config, vault: true });
  pruneVaults(store, settings?.days ?? DAYS);
}
