import { CliError } from "../errors/cli-error.ts";
import { environment } from "../process/environment.ts";
import type { RemoteOptions } from "./remote-options.ts";
import { type ServerClient, serverClient } from "./server-client.ts";
import { standingServer } from "./standing-server.ts";
import { tokenFor } from "./token-for.ts";

/** The collector that is named, else the one that runs over this store. */
export function serverOf(options: RemoteOptions & { store: string }): ServerClient {
  const address = options.server ?? standingServer(options.store);
  if (address !== null) return serverClient(address, tokenFor(address, options));
  const endpoint = environment()["REENACT_ENDPOINT"];
  throw new CliError(
    "REEN-USAGE",
    "no collector is named, and none runs over this store",
    endpoint ? `--server ${endpoint}` : "--server http://127.0.0.1:4318, or reenact up",
  );
}
