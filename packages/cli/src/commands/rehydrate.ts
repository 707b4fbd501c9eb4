import type { Command } from "commander";
import { statSync } from "node:fs";
import { count, oneLine } from "@reenact/view";
import { baseCommand, type BaseOptions } from "./base-command.ts";
import { CliError } from "../errors/cli-error.ts";
import { rehydrate, type Rehydrated, rehydrateFile } from "../store/rehydrate.ts";
import { type RemoteOptions, withRemote } from "../remote/remote-options.ts";
import { remoteReference } from "../remote/remote-reference.ts";
import { servedRun } from "../remote/served-run.ts";
import { standingServer } from "../remote/standing-server.ts";
import { belonging } from "../render/terminal-text.ts";
import { shortId } from "../store/short-id.ts";

interface Options extends BaseOptions, RemoteOptions {
  json?: boolean;
  only?: boolean;
  incomplete?: boolean;
}

export function rehydrateCommand(): Command {
  const command = baseCommand("rehydrate", "bring a run from elsewhere into the local store, to replay it here", [
    "reenact rehydrate 7f3a91 --server https://collector.example",
    "reenact rehydrate s3://bucket/runs/7f3a91",
    "reenact rehydrate 7f3a91 --from /var/lib/reenact/store",
    "reenact rehydrate phoenix://127.0.0.1:6006/desk/0af7651916cd43dd8448eb211c80319c",
    "reenact rehydrate run.otlp",
  ]);
  return withRemote(command)
    .argument("<run>", "run reference, link or file")
    .option("--only", "not the earlier runs of its session, nor the others of its process")
    .option("--incomplete", "from Phoenix: also a run of which it lacks parts")
    .option("--json", "machine-readable")
    .action(async (reference: string, options: Options) => {
      const { place, ...done } = await brought(reference, options);
      if (options.json) {
        const line = { schemaVersion: 1, ...done, from: place, store: options.store };
        process.stdout.write(`${JSON.stringify(line)}\n`);
        return;
      }
      for (const run of done.runs) process.stdout.write(`${run}\n`);
      if (options.quiet) return;
      for (const { run, why } of done.skipped)
        process.stderr.write(
          `${oneLine(`run ${shortId(run, options.store)}, which belongs to it, is not there: ${why}`, 400)}\n`,
        );
      if (done.left > 0)
        process.stderr.write(
          `${count(done.left, "more run")} of its process or session did not come: they started further away\n`,
        );
      const more = done.runs.length > 1 ? `, with ${belonging(done.runs.length - 1)}` : "";
      const id = shortId(done.run, options.store);
      process.stderr.write(`run ${id} from ${oneLine(place, 200)}${more}, every digest checked\n`);
      process.stderr.write(`Next: reenact replay ${id}${storeFlag(options.store)} -- <command>\n`);
    });
}

async function brought(reference: string, options: Options): Promise<Rehydrated & { place: string }> {
  const address = remoteReference(reference, options)?.address ?? standingServer(options.store);
  const named = address === null ? null : remoteReference(reference, { ...options, server: address });
  if (address === null || named === null)
    return { ...rehydrateFile(options.store, fileOf(reference)), place: reference };
  const { from, run } = await servedRun(reference, address, options, "there is nothing to bring");
  try {
    return { ...(await rehydrate(options.store, from, run, options)), place: from.place };
  } finally {
    from.close();
  }
}

function fileOf(reference: string): string {
  if (/[./\\]/.test(reference) || statSync(reference, { throwIfNoEntry: false })?.isFile()) return reference;
  throw new CliError(
    "REEN-USAGE",
    `where is ${reference}? No file has this name, and no collector runs here`,
    `reenact rehydrate ${reference} --server <url>, or --from s3://bucket/prefix`,
  );
}

const storeFlag = (store: string): string => (store === ".reenact" ? "" : ` --store ${store}`);
