import { type Command, Option } from "commander";

/** Options of commands that read runs elsewhere, too. */
export interface RemoteOptions {
  server?: string;
  token?: string;
  from?: string;
  s3Endpoint?: string;
}

const PLACE = "s3://bucket/prefix, the folder of a collector's store, or phoenix://host/project";

/** Adds `--server`, `--token`, `--from` and `--s3-endpoint`. `from`: a command's own `--from`, which takes more than a place. */
export function withRemote(command: Command, from = new Option("--from <place>", PLACE)): Command {
  return withServer(command)
    .addOption(from)
    .addOption(new Option("--s3-endpoint <url>", "S3-compatible server").env("REENACT_COLLECTOR_S3_ENDPOINT"));
}

/** Adds `--server` and `--token`. */
export function withServer(command: Command): Command {
  return command
    .option("--server <url>", "a collector; without it REENACT_SERVER, or `reenact up` of this store, beside the store")
    .option("--token <key>", "its key (env: REENACT_API_KEY)");
}
