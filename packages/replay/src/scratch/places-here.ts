import { homedir, tmpdir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { findTokens } from "@reenact/envelope";
import type { RootFacts } from "../tape/tape.ts";

/**
 * Where the file of a recorded path may lie in this process, the likeliest first; none if a part of the path was redacted.
 * A path of the record counts from the working directory, and a program may just as well have made it from its own folder
 * (`import.meta.dirname`), or written it whole: where this replay has another working directory, these are several places.
 */
export type PlacesHere = (path: string) => string[];

/** Folders above the program's that may move with it. */
const FOLDERS_ABOVE = 2;

export function placesHere({ cwd, entry }: NonNullable<RootFacts["process"]>, here = thisProcess()): PlacesHere {
  return (path) => {
    if (findTokens(path).length > 0) return [];
    const special = specialPath(path);
    const whole = special ?? (cwd === undefined ? null : resolve(cwd, path));
    const places = special === null && !isAbsolute(path) ? [join(here.cwd, path)] : [];
    if (whole !== null) places.push(whole);
    if (whole !== null && here.entry !== null && cwd !== undefined && entry !== undefined) {
      const way = relative(dirname(resolve(cwd, entry)), whole);
      const above = way.split(sep).filter((part) => part === "..").length;
      if (!isAbsolute(way) && above <= FOLDERS_ABOVE) places.push(join(dirname(here.entry), way));
    }
    return [...new Set(places)];
  };
}

function thisProcess(): { cwd: string; entry: string | null } {
  const entry = process.argv[1];
  return { cwd: process.cwd(), entry: entry === undefined ? null : resolve(entry) };
}

/** A path in the home folder or the folder of temporary files of this machine; null for any other. */
function specialPath(path: string): string | null {
  const [, folder, below] = /^(<tmp>|~)\/(.*)$/s.exec(path) ?? [];
  return below === undefined ? null : join(folder === "~" ? homedir() : tmpdir(), below);
}
