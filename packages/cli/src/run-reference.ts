import { existsSync, statSync } from "node:fs";
import { CliError, EXIT } from "./cli-error.ts";
import { listRuns, readRunFile, type RunFile, runPaths } from "./run-files.ts";
import { basename } from "node:path";

/** Finds a run by id prefix (4 or more), `@last`, `@failed`, `@-2`, or a file. Replays do not count for the `@` forms. */
export function findRun(store: string, reference: string): RunFile {
  if (reference.startsWith("@")) return byPosition(store, reference);
  if (/[./\\]/.test(reference) || existsSync(reference)) return byFile(reference);
  if (/^s3:\/\//.test(reference)) throw new CliError("REEN-USAGE", `${reference}: remote stores are not supported yet`, "copy the .reenact file here and name it");
  const prefix = reference.toLowerCase();
  if (!/^[0-9a-f]{4,32}$/.test(prefix)) throw new CliError("REEN-USAGE", `"${reference}" is no run: a run is named by 4 or more hex digits of its id, @last, @failed, @-2, or a file`, "reenact ls");
  const paths = runPaths(store).filter((p) => basename(p).startsWith(prefix));
  const [first] = paths;
  if (first === undefined) throw new CliError("REEN-NO-RUN", `no run ${reference} in ${store}`, `reenact ls --store ${store}`);
  if (paths.length > 1) throw new CliError("REEN-AMBIGUOUS", `${reference} names ${paths.length} runs: ${paths.slice(0, 4).map((p) => basename(p).slice(0, 12)).join(", ")}`, "type more of the id");
  return read(first);
}

function byPosition(store: string, reference: string): RunFile {
  const runs = listRuns(store).runs.filter((r) => r.manifest.replay === undefined);
  const nth = /^@-(\d+)$/.exec(reference);
  const wanted = reference === "@last" ? runs[0] : reference === "@failed" ? runs.find((r) => r.header.status !== "ok") : nth ? runs[Number(nth[1]) - 1] : undefined;
  if (wanted !== undefined) return wanted;
  if (reference !== "@last" && reference !== "@failed" && nth === null) throw new CliError("REEN-USAGE", `"${reference}" is no run reference`, "use @last, @failed or @-2");
  throw new CliError("REEN-NO-RUN", runs.length === 0 ? `no run in ${store}` : `no run ${reference} among the ${runs.length} in ${store}`, runs.length === 0 ? "reenact run -- node agent.js" : `reenact ls --store ${store}`);
}

function byFile(path: string): RunFile {
  if (!existsSync(path)) throw new CliError("REEN-NO-FILE", `no such file: ${path}`, "check the path, or name the run by its id");
  if (statSync(path).isDirectory()) throw new CliError("REEN-NOT-A-RUN", `${path} is a folder, not a run`, `reenact ls --store ${path}`);
  return read(path);
}

function read(path: string): RunFile {
  try {
    return readRunFile(path);
  } catch (error) {
    const next = error instanceof Error && "next" in error && typeof error.next === "string" && error.next !== "" ? error.next : "name a .reenact file";
    throw new CliError("REEN-NOT-A-RUN", `${path}: ${error instanceof Error ? error.message : String(error)}`, next, EXIT.usage);
  }
}
