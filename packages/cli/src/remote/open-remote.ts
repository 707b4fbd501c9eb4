import { CliError } from "../errors/cli-error.ts";
import { environment } from "../process/environment.ts";
import { installed } from "../process/installed.ts";
import { archiveRuns, refusal } from "./archive-runs.ts";
import { phoenixRuns } from "./phoenix-runs.ts";
import type { RemoteOptions } from "./remote-options.ts";
import type { RemoteRuns } from "./remote-runs.ts";
import { serverClient } from "./server-client.ts";
import { serverRuns } from "./server-runs.ts";
import { tokenFor } from "./token-for.ts";

/** Opens what an address names: a collector, a store of packs, or a project in Phoenix. */
export async function openRemote(
  address: string,
  options: RemoteOptions & { store: string; incomplete?: boolean },
): Promise<RemoteRuns> {
  if (/^https?:\/\//.test(address)) return serverRuns(serverClient(address, tokenFor(address, options)));
  if (/^phoenix(\+http)?:\/\//.test(address)) return openPhoenix(address, options);
  return openArchive(address, options);
}

function openPhoenix(address: string, options: RemoteOptions & { store: string; incomplete?: boolean }): RemoteRuns {
  const [, scheme = "", host = "", path = ""] = /^(phoenix(?:\+http)?):\/\/([^/]+)\/(.+?)\/?$/.exec(address) ?? [];
  if (path === "") throw new CliError("REEN-USAGE", `${address} names no project`, "phoenix://host/project/<trace>");
  const parts = path.split("/");
  const project = decodeURIComponent(parts.pop() ?? "");
  const isHere = /^(localhost|127\.|\[::1\])/.test(host);
  const url = [`${isHere || scheme === "phoenix+http" ? "http" : "https"}://${host}`, ...parts].join("/");
  return phoenixRuns({
    url,
    project,
    token: tokenFor(address, options, "PHOENIX_API_KEY"),
    incomplete: options.incomplete === true,
  });
}

async function openArchive(address: string, options: RemoteOptions): Promise<RemoteRuns> {
  const { openRunArchive } = await installed(
    () => import("@reenact/collector/store"),
    "stores are read by the collector's package, which is not installed",
  );
  try {
    return archiveRuns(await openRunArchive(address, s3Of(options)), address);
  } catch (error) {
    throw refusal(error, address);
  }
}

/** The collector's own variables, and AWS's where they are not set. Path style is what all but AWS take. */
function s3Of({ s3Endpoint }: RemoteOptions) {
  const env = environment();
  const endpoint = s3Endpoint ?? (env["AWS_ENDPOINT_URL_S3"] || env["AWS_ENDPOINT_URL"] || undefined);
  const style = env["REENACT_COLLECTOR_S3_PATH_STYLE"];
  return {
    endpoint,
    region: env["REENACT_COLLECTOR_S3_REGION"] || undefined,
    pathStyle:
      style === undefined || style === ""
        ? endpoint !== undefined && !/\.amazonaws\.com/.test(endpoint)
        : style === "true",
  };
}
