import { LEAST, shortIds } from "../render/short-ids.ts";
import { runPaths } from "./run-files.ts";
import { basename } from "node:path";

/**
 * The id of a run for people, as a further command takes it: longer where another run of the store begins with the same
 * digits, and as long as the digits in `reference` by which it was found elsewhere. A whole id in `reference` says nothing
 * of other runs there, and is shortened.
 */
export function shortId(id: string, store: string, reference = ""): string {
  // an id of which fewer digits are shared makes it no longer, and a store may hold very many
  const alike = idsHere(store).filter((other) => other.startsWith(id.slice(0, LEAST)));
  const short = shortIds([id, ...alike])(id);
  const typed = /[0-9a-f]*$/.exec(reference.toLowerCase())?.[0] ?? "";
  return typed !== id && id.startsWith(typed) && typed.length > short.length ? typed : short;
}

/** Ids of all runs of a store, without reading one; none where it cannot be read. */
export function idsHere(store: string): string[] {
  try {
    return runPaths(store).map((path) => basename(path, ".reenact"));
  } catch {
    return [];
  }
}
