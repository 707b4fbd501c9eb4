import { dirname, join } from "node:path";
import type { DatabaseFact, FileFact } from "@reenact/node";
import type { PlacesHere } from "./places-here.ts";
import { disk } from "./disk.ts";

export type MadeFact = Pick<FileFact, "path" | "before" | "state" | "tools" | "shared">;

/** The files of a database, as facts of files. */
export function filesOfDatabase({ path, before, tools = [] }: DatabaseFact): MadeFact[] {
  if (before.state !== "absent" || tools.some((scope) => scope !== -1)) return [];
  const made = { state: "file", before: { state: "absent" } } as const;
  return ["", "-wal", "-shm", "-journal"].map((end) => ({ ...made, path: path + end }));
}

const MADE: ReadonlySet<string> = new Set<FileFact["state"]>(["file", "folder", "link"]);

/**
 * Paths on this machine that the recorded runs made outside of tool bodies and that still lie there: the program did
 * not find them when it was recorded. Of folders only those in which nothing else lies.
 */
export function madeByRuns(written: readonly MadeFact[], placesHere: PlacesHere): string[] {
  const made = new Set<string>();
  const facts = written.filter(
    ({ before, state, tools, shared }) =>
      before.state === "absent" && MADE.has(state) && tools === undefined && shared !== true,
  );
  const paths = facts.flatMap(({ path, state }) =>
    placesHere(path).map((here) => ({ path: here, isFolder: state === "folder", isLink: state === "link" })),
  );
  // what is deeper comes first
  for (const { path, isFolder, isLink } of paths.sort((a, b) => b.path.length - a.path.length)) {
    const stats = disk.lstatSync(path, { throwIfNoEntry: false });
    if (stats === undefined || stats.isDirectory() !== isFolder || stats.isSymbolicLink() !== isLink) continue;
    if (!isFolder && !isLink && !stats.isFile()) continue;
    if (!isFolder || disk.readdirSync(path).every((name) => made.has(join(path, name)))) made.add(path);
  }
  return [...made].filter((path) => !made.has(dirname(path)));
}
