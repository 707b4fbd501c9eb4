import { CliError } from "../errors/cli-error.ts";
import { find, findRemote } from "../store/run-source.ts";
import { placeName } from "../render/terminal-text.ts";
import { shortId } from "../store/short-id.ts";
import { openRemote } from "./open-remote.ts";
import type { RemoteOptions } from "./remote-options.ts";
import { remoteReference } from "./remote-reference.ts";
import type { RemoteRun, RemoteRuns } from "./remote-runs.ts";

const UNREADABLE: readonly string[] = ["REEN-DAMAGED", "REEN-TRUNCATED", "REEN-NEWER-VERSION"];

/**
 * The run of a collector that a name means: with `--server`, or in a link, one there; else the one that every other command
 * means by it. One that is only in the local store is refused, `why` says on whose behalf. The caller closes `from`.
 */
export async function servedRun(
  reference: string,
  address: string,
  options: RemoteOptions & { store: string },
  why: string,
): Promise<{ from: RemoteRuns; run: RemoteRun }> {
  const named = remoteReference(reference, options);
  if (named !== null) return findRemote(await openRemote(named.address, options), named.run);
  const found = await findReadable(reference, options);
  if (found?.is === "remote") return found;
  const from = await openRemote(address, options);
  if (found === null) return findRemote(from, reference);
  const { run } = found.file.header;
  try {
    return { from, run: await from.find(run) };
  } catch (error) {
    from.close();
    if (!(error instanceof CliError) || error.code !== "REEN-NO-RUN") throw error;
    throw new CliError(
      "REEN-USAGE",
      `run ${shortId(run, options.store, reference)} is only in ${placeName(options.store)}, not in ${address}: ${why}`,
      `name the id of a run there: reenact ls --server ${address}`,
      { cause: error },
    );
  }
}

/** Null: a copy that lies here cannot be read, which says nothing of the run there. */
async function findReadable(reference: string, options: RemoteOptions & { store: string }) {
  try {
    return await find(reference, options);
  } catch (error) {
    if (error instanceof CliError && UNREADABLE.includes(error.code)) return null;
    throw error;
  }
}
