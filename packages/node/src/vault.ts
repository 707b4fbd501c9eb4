// Apart from the main entry: who opens vaults. An agent only writes them.
export { type Originals, openVault, vaultFor, type VaultPlace } from "./vault/open-vault.ts";
export { VaultError, type VaultFault } from "./vault/vault-error.ts";
export { audit, eraseVault, vaultFolder, vaultPath } from "./vault/vault-folder.ts";
export { makeRecipient } from "./vault/vault-key.ts";
export { isRecipient } from "./config.ts";
export { tidyVaults } from "./vault/tidy-vaults.ts";
export { vaultRun } from "./vault/vault-file.ts";
