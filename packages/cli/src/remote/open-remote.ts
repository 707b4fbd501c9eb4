import { CliError } from "../cli-error.ts";
import { environment } from "../environment.ts";
import { archiveRuns, refusal } from "./archive-runs.ts";
import { phoenixRuns } from "./phoenix-runs.ts";
import { type RemoteOptions, tokenOf } from "./remote-options.ts";
import type { RemoteRuns } from "./remote-runs.ts";
import { serverClient } from "./server-client.ts";
import { serverRuns } from "./server-runs.ts";

/** Opens what an address names: a collector, a store of packs, or a project in Phoenix. */
export async function openRemote(
  address: string,
  options: RemoteOptions & { incomplete?: boolean },
): Promise<RemoteRuns> {
  if (/^https?:\/\//.test(address)) return serverRuns(serverClient(address, tokenOf(options)));
  if (/^phoenix(\+http)?:\/\//.test(address)) return openPhoenix(address, options);
  return openArchive(address, options);
}

function openPhoenix(address: string, options: RemoteOptions & { incomplete?: boolean }): RemoteRuns {
  const [, scheme = "", host = "", path = ""] = /^(phoenix(?:\+http)?):\/\/([^/]+)\/(.+?)\/?$/.exec(address) ?? [];
  if (path === "") throw new CliError("REEN-USAGE", `${address} names no project`, "phoenix://host/project/<trace>");
  const parts = path.split("/");
  const project = decodeURIComponent(parts.pop() ?? "");
  const isHere = /^(localhost|127\.|\[::1\])/.test(host);
  const url = [`${isHere || scheme === "phoenix+http" ? "http" : "https"}://${host}`, ...parts].join("/");
  return phoenixRuns({
    url,
    project,
    token: tokenOf(options, "PHOENIX_API_KEY"),
    incomplete: options.incomplete === true,
  });
}

async function openArchive(address: string, options: RemoteOptions): Promise<RemoteRuns> {
  const { openRunArchive } = await loadStore();
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

async function loadStore(): Promise<typeof import("@reenact/collector/store")> {
  try {
    return await import("@reenact/collector/store");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new CliError(
      "REEN-CANNOT-START",
      "stores are read by the collector's package, which is not installed",
      "npm install @reenact/collector",
      { cause },
    );
  }
}
