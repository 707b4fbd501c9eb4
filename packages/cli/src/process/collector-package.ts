import { join } from "node:path";
import { CliError } from "../errors/cli-error.ts";
import { installed } from "./installed.ts";

export type CollectorPackage = typeof import("@reenact/collector");

/** The collector is a package of its own: most users of the command never need it. */
export function loadCollector(): Promise<CollectorPackage> {
  return installed(() => import("@reenact/collector"), "the collector is not installed");
}

/** Where the collector of a local store keeps what it has. */
export const collectorFolders = (store: string, s3: string | undefined): { data: string; store: string } => ({
  data: join(store, "collector"),
  store: s3 ?? join(store, "packs"),
});

/** An error that ends a start, as the collector's own program tells it; any other one as it is. */
export function refusedBy({ reasonOf, refusal }: CollectorPackage, error: unknown, command: string): unknown {
  if (error instanceof CliError) return error;
  const { exit } = refusal(error);
  if (exit === 1) return error;
  const code = exit === 3 ? "REEN-USAGE" : "REEN-STORE";
  const { message, next } = reasonOf(error);
  return new CliError(code, message, next || `reenact ${command} --help`, { cause: error });
}
