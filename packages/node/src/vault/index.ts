// Apart from the main entry: who opens vaults. An agent only writes them.
export { type Originals, openVault, vaultFor, type VaultPlace } from "./open-vault.ts";
export { VaultError, type VaultFault } from "./vault-error.ts";
export { audit, eraseVault, vaultFolder, vaultPath } from "./vault-folder.ts";
export { makeRecipient } from "./vault-key.ts";
export { isRecipient } from "../config/settings.ts";
export { tidyVaults } from "./tidy-vaults.ts";
export { vaultRun } from "./vault-file.ts";
