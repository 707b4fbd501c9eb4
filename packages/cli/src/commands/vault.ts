import { Command } from "commander";
import { copyFileSync, constants, readFileSync, writeFileSync } from "node:fs";
import { errorCode } from "@reenact/envelope";
import { audit, eraseVault, makeRecipient, vaultRun } from "@reenact/node/vault";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError, messageOf } from "../errors/cli-error.ts";
import { openStore } from "../store/open-store.ts";
import { namedVault, writeVaultFor } from "../store/vault-run.ts";
import { shortId } from "../store/short-id.ts";

export function vaultCommand(): Command {
  return new Command("vault")
    .description("the sealed originals of redacted values: keys, deletion, export")
    .addCommand(keygen())
    .addCommand(rm())
    .addCommand(exported());
}

function keygen(): Command {
  return baseCommand("keygen", "make the key pair of a responder", ["reenact vault keygen responder.key"])
    .argument("<file>", "new file for the private key; the public one is printed")
    .action((file: string, options: BaseOptions) => {
      const { publicKey, privateKey } = makeRecipient();
      try {
        writeFileSync(file, `# public: ${publicKey}\n${privateKey}\n`, { mode: 0o600, flag: "wx" });
      } catch (error) {
        const isThere = errorCode(error) === "EEXIST";
        const why = isThere ? "it is there already, and a key is never replaced" : messageOf(error);
        throw new CliError("REEN-OUTPUT", `cannot write ${file}: ${why}`, "name a new file", { cause: error });
      }
      process.stdout.write(`${publicKey}\n`);
      if (options.quiet !== true)
        process.stderr.write(
          `the private key is in ${file}: keep it off the machines that record.\nrecorders: REENACT_VAULT_RECIPIENT=${publicKey}, or vault: { recipient } in reenact.config\n`,
        );
    });
}

function rm(): Command {
  return baseCommand("rm", "erase the originals of a run; the redacted run stays", ["reenact vault rm 7f3a91"])
    .argument("<run>", "run reference")
    .action((reference: string, options: BaseOptions) => {
      openStore(options.store);
      const { run } = namedVault(options.store, reference);
      let isErased: boolean;
      try {
        isErased = eraseVault(options.store, run);
      } catch (error) {
        throw CliError.store(options.store, "a vault cannot be erased in", error);
      }
      if (!isErased)
        throw new CliError(
          "REEN-NO-VAULT",
          `there is no vault of run ${run.slice(0, 12)} in ${options.store}: nothing to erase`,
          `reenact ls --store ${options.store}`,
        );
      if (options.quiet !== true)
        process.stderr.write(`the originals of run ${shortId(run, options.store, reference)} are erased\n`);
    });
}

function exported(): Command {
  return baseCommand("export", "write a run's vault, sealed, for a responder", [
    "reenact vault export 7f3a91 7f3a91.vault --recipient reenact-vault-public:…",
    "reenact vault export 7f3a91 7f3a91.vault",
  ])
    .argument("<run>", "run reference")
    .argument("<file>", "new file")
    .option(
      "--recipient <key>",
      "responder's public key: only its private key opens the file; default: a copy that the same keys open as here",
    )
    .option("--key <file>", "private key that opens it here; default: the key of the store")
    .action((reference: string, file: string, options: BaseOptions & { recipient?: string; key?: string }) => {
      openStore(options.store);
      const named = namedVault(options.store, reference);
      if (options.recipient !== undefined) {
        writeVaultFor(options.recipient, named, file, options);
        return;
      }
      const { run, path } = named;
      const { isForResponder } = sealedFor(path, run, options.store);
      try {
        audit(options.store, "export", run, 1);
        copyFileSync(path, file, constants.COPYFILE_EXCL);
      } catch (error) {
        throw new CliError("REEN-OUTPUT", `cannot write ${file}: ${messageOf(error)}`, "name a new file", {
          cause: error,
        });
      }
      if (options.quiet !== true && !isForResponder)
        process.stderr.write(
          "it is sealed to this store's own key alone: no other person can open it; --recipient <public key> seals it for one\n",
        );
    });
}

function sealedFor(path: string, run: string, store: string): { isForResponder: boolean } {
  try {
    const bytes = readFileSync(path);
    vaultRun(bytes, path);
    return { isForResponder: bytes.includes('"to":"x25519"') };
  } catch (error) {
    throw new CliError(
      "REEN-NO-VAULT",
      `there is no vault of run ${run.slice(0, 12)} in ${store}: ${messageOf(error)}`,
      `reenact ls --store ${store}`,
      { cause: error },
    );
  }
}
