import type { Config } from "../config/config.ts";
import { loadConfigFile } from "../config/config-file.ts";

export interface VaultSettings {
  readonly recipient: string | null;
  readonly days: number;
  /** beside the types that the rules find and that are no secrets */
  readonly types: readonly string[];
}

/** How long a vault is kept by default. */
export const DAYS = 30;

/** What environment and configuration file say of the vault; null: none is wanted, or the file cannot be read. */
export function vaultSettings(config: Config): VaultSettings | null {
  if (!config.vault) return null;
  const file = loadConfigFile(config.configFile);
  if ("error" in file || file.config.vault === false) return null;
  const { recipient = null, days = DAYS, types = [] } = file.config.vault ?? {};
  return { recipient: config.vaultRecipient ?? recipient, days: config.vaultDays ?? days, types };
}
