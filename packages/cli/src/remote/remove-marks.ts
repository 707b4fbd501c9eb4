import { oneLine } from "@reenact/view";
import { CliError } from "../errors/cli-error.ts";
import { shellWords } from "../render/shell-words.ts";
import { markableRun, type MarkOptions, printMarked, redactedReason } from "./mark-run.ts";
import { shortId } from "../store/short-id.ts";
import { placeOptions } from "./place-options.ts";

/**
 * Removes the flags with this reason from a run of a collector, and prints the run's class and flags after that. Without
 * a reason: the only flag; several are an error.
 */
export async function removeMarks(reference: string, reason: string | null, options: MarkOptions): Promise<void> {
  const { server, run } = await markableRun("unflag", reference, options);
  const { marks } = await server.call("listMarks", { path: { run: run.run } });
  const flags = marks.filter(({ kind, removed }) => kind === "flag" && removed === null);
  const reasons = [...new Set(flags.map(({ name }) => name))];
  const [first] = reasons;
  const short = shortId(run.run, options.store, reference);
  if (first === undefined) {
    const own = (run.flags ?? []).length > 0 ? "; flags that the run set itself cannot be removed" : "";
    throw new CliError("REEN-USAGE", `run ${short} has no flag that was set in the collector${own}`, "reenact ls");
  }
  const listed = reasons.map((each) => oneLine(each, 60)).join(", ");
  const next = `reenact unflag ${shellWords([short, first])}${placeOptions(options)}`;
  if (reason === null && reasons.length > 1)
    throw new CliError("REEN-USAGE", `run ${short} has several flags: ${listed}`, next);
  // a collector has it as flag sent it, or raw from another client
  const named = new Set(reason === null ? [first] : [reason, redactedReason(reason, options)]);
  let answer: Parameters<typeof printMarked>[1] | null = null;
  for (const { id, name } of flags)
    if (named.has(name)) answer = await server.call("removeMark", { path: { run: run.run, mark: id } });
  if (answer === null)
    throw new CliError("REEN-USAGE", `run ${short} has no flag ${JSON.stringify(reason)}; it has: ${listed}`, next);
  printMarked(short, answer, "loses the flag", options);
}
