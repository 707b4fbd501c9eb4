import { dirname, isAbsolute, join, parse } from "node:path";
import { disk } from "./disk.ts";
import type { Entry, ResolvedPath } from "./resolved-path.ts";

export interface Tree {
  /** the entry with this link-free path; null if there is none. Throws what the file system throws. */
  look(logical: string): Entry | null;
  /** where the scratch copy of an entry is */
  upperOf(logical: string): string;
  foreign(logical: string): boolean;
}

/** As Linux: more links than this in one path are a loop. */
const MAX_LINKS = 40;
const SEPARATOR = process.platform === "win32" ? /[/\\]/ : /\//;

/**
 * Walks a path through the tree that the program sees, component by component as a kernel does, so that a link in the
 * scratch copy never leads the operating system back to the original.
 *
 * @param follow whether a link in the last component is followed
 */
export function locate(tree: Tree, path: string, follow: boolean): ResolvedPath {
  const absolute = isAbsolute(path) ? path : `${process.cwd()}/${path}`;
  const { root } = parse(absolute);
  const todo = absolute.slice(root.length).split(SEPARATOR);
  const end = todo.at(-1);
  const slash = end === "." ? "/." : end === "" && todo.length > 1 ? "/" : "";
  let here = root;
  let entry: Entry | null = null;
  let links = 0;
  let direct = true;
  while (todo.length > 0) {
    const name = todo.shift() as string;
    if (name === "" || name === ".") continue;
    if (name === "..") {
      direct = false;
      here = dirname(here);
      entry = null;
      continue;
    }
    const next = join(here, name);
    if (tree.foreign(next)) return { state: "foreign", logical: [next, ...todo].join("/"), slash: "", direct };
    const found = tree.look(next);
    const last = todo.every((part) => part === "" || part === ".");
    if (found === null)
      return { state: last ? "absent" : todo.includes("..") ? "astray" : "lost", logical: join(next, ...todo), slash };
    if (found.stats.isSymbolicLink() && (!last || follow || slash !== "")) {
      if (++links > MAX_LINKS) return { state: "loop", logical: next, slash };
      direct = false;
      const target = disk.readlinkSync(found.layer === "upper" ? tree.upperOf(next) : next);
      if (isAbsolute(target)) {
        here = parse(target).root;
        entry = null;
      }
      todo.unshift(...target.slice(isAbsolute(target) ? parse(target).root.length : 0).split(SEPARATOR));
      continue;
    }
    // what comes after a `..` is not below this file, which is all that matters
    const rest = todo.includes("..") ? ["under"] : todo;
    if (!found.stats.isDirectory() && (!last || slash !== ""))
      return { state: "blocked", logical: join(next, ...rest), slash };
    here = next;
    entry = found;
  }
  if (tree.foreign(here)) return { state: "foreign", logical: here, slash, direct };
  entry ??= tree.look(here);
  return entry === null ? { state: "lost", logical: here, slash } : { state: "present", logical: here, slash, entry };
}
