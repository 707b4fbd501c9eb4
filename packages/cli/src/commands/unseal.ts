import type { Command } from "commander";
import { writeFileSync } from "node:fs";
import { audit, type Originals } from "@reenact/node/vault";
import { oneLine } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError, messageOf } from "../errors/cli-error.ts";
import { openStore } from "../store/open-store.ts";
import { namedVault, openedVault } from "../store/vault-run.ts";
import { shortId } from "../store/short-id.ts";

interface Options extends BaseOptions {
  json?: boolean;
  key?: string;
  output?: string;
}

const LONGEST = 200;

export function unsealCommand(): Command {
  return baseCommand("unseal", "print the originals of a run's redacted values; the audit log gets a line", [
    "reenact unseal @last",
    "reenact unseal 7f3a91 --json -o originals.json",
    "reenact unseal 7f3a91.vault --key responder.key",
  ])
    .argument("<run>", "run reference, or a file that reenact vault export wrote")
    .option("--key <file>", "responder's private key; default: the key of the store")
    .option("--json", "all of it: the values, and each answer as its program got it")
    .option("-o, --output <file>", "write it here, for this user alone, instead of to standard output")
    .action((reference: string, options: Options) => {
      openStore(options.store);
      const named = namedVault(options.store, reference);
      const originals = openedVault(options.store, named, options.key);
      const count = originals.values.size;
      // without a line in the log nothing is shown
      try {
        audit(options.store, "unseal", named.run, count);
      } catch (error) {
        throw CliError.store(options.store, "the audit log cannot be written in", error);
      }
      const text = options.json === true ? asJson(originals) : asLines(originals);
      if (options.output === undefined) process.stdout.write(text);
      else write(options.output, text);
      if (options.quiet !== true)
        process.stderr.write(
          `${count} ${count === 1 ? "value" : "values"} of run ${shortId(named.run, options.store, reference)} unsealed; audit line in vault/audit.log\n`,
        );
    });
}

function asLines({ values }: Originals): string {
  return [...values].map(([token, value]) => `${token}  ${oneLine(value, LONGEST)}\n`).join("");
}

function asJson({ run, values, steps, root }: Originals): string {
  const all = [...steps.values()].map((kept) => ({ ...kept, kind: undefined, values: undefined }));
  return `${JSON.stringify({ schemaVersion: 1, run, values: Object.fromEntries(values), steps: all, root })}\n`;
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    throw new CliError(
      "REEN-OUTPUT",
      `cannot write ${path}: ${messageOf(error)}`,
      "name a file in a folder that is there",
      {
        cause: error,
      },
    );
  }
}
