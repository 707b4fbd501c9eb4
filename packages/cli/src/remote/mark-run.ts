import { oneLine } from "@reenact/view";
import { CliError } from "../errors/cli-error.ts";
import { projectScrubber } from "../redact/project-scrubber.ts";
import type { Operations } from "./api-operations.ts";
import type { RemoteOptions } from "./remote-options.ts";
import { remoteReference } from "./remote-reference.ts";
import type { RemoteRun } from "./remote-runs.ts";
import type { ServerClient } from "./server-client.ts";
import { serverOf } from "./server-of.ts";
import { shortId } from "../store/short-id.ts";
import { servedRun } from "./served-run.ts";

/** Options of a command that marks a run. */
export interface MarkOptions extends RemoteOptions {
  store: string;
  json?: boolean;
}

/** Marks a run in its collector, the reason redacted, and prints what the run is then. */
export async function markRun(
  what: "keep" | "flag",
  reference: string,
  body: { reason?: string },
  options: MarkOptions,
): Promise<void> {
  const { server, run } = await markableRun(what, reference, options);
  const path = { run: run.run };
  const { reason } = body;
  const sent = reason === undefined ? {} : { reason: redactedReason(reason, options) };
  const answer =
    what === "keep"
      ? await server.call("keepRun", { path, body: sent })
      : await server.call("flagRun", { path, body: { reason: "", ...sent } });
  const id = shortId(run.run, options.store, reference);
  printMarked(id, answer, what === "keep" ? "is kept for ever" : "gets the flag", options);
}

/** The reason of a mark as the collector is to store it, by the rules and the key of this project. */
export const redactedReason = (reason: string, { store }: MarkOptions): string =>
  projectScrubber({ store }).scrub(reason).text;

/** A run of a collector that a command wants to mark, and the collector. */
export async function markableRun(
  what: "keep" | "flag" | "unflag",
  reference: string,
  options: MarkOptions,
): Promise<{ server: ServerClient; run: RemoteRun }> {
  const server = serverOf(options);
  // a link, or digits beside --server
  const linked = remoteReference(reference, { ...options, server: server.url });
  if (linked === null || linked.address !== server.url)
    throw new CliError("REEN-USAGE", `${reference} is no run of ${server.url}`, `reenact ls --server ${server.url}`);
  const why = `${what} marks what a collector has; what is here stays`;
  const { run } = await servedRun(reference, server.url, options, why);
  return { server, run };
}

/** `shown`: the id for people. `then`: what happens to a run that is not sealed yet, once it is. */
export function printMarked(
  shown: string,
  { run, applied }: Operations["flagRun"]["answer"],
  then: string,
  options: { json?: boolean },
): void {
  const { run: id, class: kept, rule, flags } = run;
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ schemaVersion: 1, run: id, class: kept, rule, flags, applied })}\n`);
    return;
  }
  if (!applied) {
    process.stdout.write(`run ${shown}  noted: it ${then} when it is sealed\n`);
    return;
  }
  const by = rule === null ? "" : ` (${rule})`;
  const expires = kept === "keep" ? "" : ", and is not kept for ever";
  const said = flags.map((each) => oneLine(each, 60)).join(", ");
  process.stdout.write(`run ${shown}  class ${kept}${by}${expires}${said === "" ? "" : `  flags: ${said}`}\n`);
}
