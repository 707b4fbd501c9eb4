import { statSync } from "node:fs";
import { basename } from "node:path";
import { isSystemError } from "@reenact/envelope";
import { CliError } from "../errors/cli-error.ts";
import { isListed, newestRuns, readRunFile, type RunFile, runPaths } from "./run-files.ts";
import { shortIds } from "../render/short-ids.ts";
import { placeName } from "../render/terminal-text.ts";

const FORMS = "a run is named by 4 or more hex digits of its id, @last, @failed, @-2, or a file";

/** Finds a run by id prefix (4 or more), `@last`, `@failed`, `@-2`, or a file. Replays do not count for the `@` forms. */
export function findRun(store: string, reference: string): RunFile {
  if (reference.startsWith("@")) return byPosition(store, reference);
  if (/^[0-9a-f]{4,32}$/i.test(reference)) {
    const found = byPrefix(store, reference);
    if (found !== null) return found;
  }
  if (/[./\\]/.test(reference) || isFile(reference)) return byFile(reference);
  if (!/^[0-9a-f]{4,32}$/i.test(reference))
    throw new CliError(
      "REEN-USAGE",
      `"${reference}" is no run: ${FORMS}`,
      /^(last|failed)$/.test(reference) ? `use @${reference}` : "reenact ls",
    );
  throw new CliError("REEN-NO-RUN", `no run ${reference} in ${placeName(store)}`, `reenact ls --store ${store}`);
}

function byPrefix(store: string, reference: string): RunFile | null {
  const paths = runPaths(store).filter((path) => basename(path).startsWith(reference.toLowerCase()));
  const [first] = paths;
  if (first === undefined) return null;
  if (paths.length === 1) return read(first);
  const ids = paths.map((path) => basename(path, ".reenact"));
  const some = ids.slice(0, 4).map(shortIds(ids, 12));
  throw new CliError(
    "REEN-AMBIGUOUS",
    `${reference} names ${paths.length} runs: ${some.join(", ")}`,
    "type more of the id",
  );
}

function byPosition(store: string, reference: string): RunFile {
  const nth = /^@-(\d{1,6})$/.exec(reference);
  if (reference !== "@last" && reference !== "@failed" && nth === null)
    throw new CliError("REEN-USAGE", `"${reference}" is no run: ${FORMS}`, "use @last, @failed or @-2");
  const at = nth === null ? 0 : Number(nth[1]) - 1;
  let listed = 0;
  for (const run of newestRuns(runPaths(store), () => {})) {
    if (!isListed(run.manifest)) continue;
    if (reference === "@failed" ? run.header.status !== "ok" : listed === at) return run;
    listed++;
  }
  if (listed === 0) throw new CliError("REEN-NO-RUN", `no run in ${placeName(store)}`, "reenact run -- node agent.js");
  throw new CliError(
    "REEN-NO-RUN",
    `no run ${reference} among the ${listed} in ${placeName(store)}`,
    `reenact ls --store ${store}`,
  );
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function byFile(path: string): RunFile {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there === undefined)
    throw new CliError("REEN-NO-FILE", `no such file: ${path}`, "check the path, or name the run by its id");
  if (there.isDirectory())
    throw new CliError("REEN-NOT-A-RUN", `${path} is a folder, not a run`, `reenact ls --store ${path}`);
  return read(path);
}

function read(path: string): RunFile {
  try {
    return readRunFile(path);
  } catch (error) {
    throw !isSystemError(error) ? CliError.from(error, path) : CliError.store(path, "cannot read", error);
  }
}
