import { CliError } from "../errors/cli-error.ts";
import { oneLine } from "../render/terminal-text.ts";
import type { RemoteOptions } from "./remote-options.ts";
import { remoteReference } from "./remote-reference.ts";
import { serverOf } from "./server-of.ts";
import { servedRun } from "./served-run.ts";
import type { ServedRun } from "./server-runs.ts";

/** Says something of a run to its collector, and prints what the run is then. */
export async function markRun(
  what: "keep" | "flag",
  reference: string,
  body: { reason?: string },
  options: RemoteOptions & { store: string; json?: boolean },
): Promise<void> {
  const server = serverOf(options);
  // a link, or digits beside --server
  const linked = remoteReference(reference, { ...options, server: server.url });
  if (linked === null || linked.address !== server.url)
    throw new CliError("REEN-USAGE", `${reference} is no run of ${server.url}`, `reenact ls --server ${server.url}`);
  const why = `${what} marks what a collector has; what is here stays`;
  const { run } = await servedRun(reference, server.url, options, why);
  const path = { run: run.run };
  const answer: { run: ServedRun; applied?: boolean } =
    what === "keep"
      ? await server.call("keepRun", { path, body })
      : await server.call("flagRun", { path, body: { reason: "", ...body } });
  const { run: id, class: kept, rule, flags } = answer.run;
  const applied = answer.applied !== false;
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ schemaVersion: 1, run: id, class: kept, rule, flags, applied })}\n`);
    return;
  }
  if (!applied) {
    const then = what === "keep" ? "is kept for ever" : "gets the flag";
    process.stdout.write(`run ${id.slice(0, 6)}  noted: it ${then} when it is sealed\n`);
    return;
  }
  const by = rule === null ? "" : ` (${rule})`;
  const expires = kept === "keep" ? "" : ", and is not kept for ever";
  const said = flags.map((each) => oneLine(each, 60)).join(", ");
  process.stdout.write(`run ${id.slice(0, 6)}  class ${kept}${by}${expires}${said === "" ? "" : `  flags: ${said}`}\n`);
}
