import { CliError } from "../errors/cli-error.ts";
import { oneLine } from "../render/terminal-text.ts";
import { markableRun, printMarked } from "./mark-run.ts";
import type { RemoteOptions } from "./remote-options.ts";

/** Removes the flags with a reason, or the only one that there is, from a run of a collector, and prints what the run is then. */
export async function removeMarks(
  reference: string,
  reason: string | null,
  options: RemoteOptions & { store: string; json?: boolean },
): Promise<void> {
  const { server, run } = await markableRun("unflag", reference, options);
  const { marks } = await server.call("listMarks", { path: { run: run.run } });
  const flags = marks.filter(({ kind, removed }) => kind === "flag" && removed === null);
  const reasons = [...new Set(flags.map(({ name }) => name))];
  const [first] = reasons;
  const short = run.run.slice(0, 6);
  if (first === undefined) {
    const own = (run.flags ?? []).length > 0 ? "; what the run said of itself stays" : "";
    throw new CliError("REEN-USAGE", `run ${short} has no flag that was set in the collector${own}`, "reenact ls");
  }
  if (reason === null && reasons.length > 1)
    throw new CliError(
      "REEN-USAGE",
      `run ${short} has several flags: ${reasons.map((each) => oneLine(each, 60)).join(", ")}`,
      `reenact unflag ${short} ${JSON.stringify(first)}`,
    );
  const gone = flags.filter(({ name }) => name === (reason ?? first));
  let answer: Parameters<typeof printMarked>[0] | null = null;
  for (const { id } of gone) answer = await server.call("removeMark", { path: { run: run.run, mark: id } });
  if (answer === null)
    throw new CliError(
      "REEN-USAGE",
      `run ${short} has no flag ${JSON.stringify(reason)}; it has: ${reasons.map((each) => oneLine(each, 60)).join(", ")}`,
      `reenact unflag ${short} ${JSON.stringify(first)}`,
    );
  printMarked(answer, "loses the flag", options);
}
