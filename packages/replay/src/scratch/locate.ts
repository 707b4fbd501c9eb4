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
  const parts = absolute.slice(root.length).split(SEPARATOR);
  const end = parts.at(-1);
  const slash = end === "." ? "/." : end === "" && parts.length > 1 ? "/" : "";
  const walk: Walk = { tree, follow, slash, here: root, entry: null, links: 0, direct: true, todo: parts };
  for (let name = walk.todo.shift(); name !== undefined; name = walk.todo.shift()) {
    const stopped = enter(walk, name);
    if (stopped !== null) return stopped;
  }
  const { here, direct } = walk;
  if (tree.foreign(here)) return { state: "foreign", logical: here, slash, direct };
  const entry = walk.entry ?? tree.look(here);
  return entry === null ? { state: "lost", logical: here, slash } : { state: "present", logical: here, slash, entry };
}

interface Walk {
  readonly tree: Tree;
  readonly follow: boolean;
  /** what the path ends with behind its last component */
  readonly slash: string;
  /** the link-free path so far */
  here: string;
  /** what is there, if it has been looked up */
  entry: Entry | null;
  links: number;
  direct: boolean;
  /** components that are still to come */
  readonly todo: string[];
}

/** Takes one component of the path. Null: the walk goes on. */
function enter(walk: Walk, name: string): ResolvedPath | null {
  const { tree, todo, slash } = walk;
  if (name === "" || name === ".") return null;
  if (name === "..") {
    walk.direct = false;
    walk.here = dirname(walk.here);
    walk.entry = null;
    return null;
  }
  const next = join(walk.here, name);
  if (tree.foreign(next))
    return { state: "foreign", logical: [next, ...todo].join("/"), slash: "", direct: walk.direct };
  const found = tree.look(next);
  const isLast = todo.every((part) => part === "" || part === ".");
  if (found === null) return { state: missing(todo, isLast), logical: join(next, ...todo), slash };
  if (found.stats.isSymbolicLink() && (!isLast || walk.follow || slash !== "")) return followLink(walk, next, found);
  if (!found.stats.isDirectory() && (!isLast || slash !== "")) {
    // what comes after a `..` is not below this file, which is all that matters
    const rest = todo.includes("..") ? ["under"] : todo;
    return { state: "blocked", logical: join(next, ...rest), slash };
  }
  walk.here = next;
  walk.entry = found;
  return null;
}

function missing(todo: readonly string[], isLast: boolean): "absent" | "astray" | "lost" {
  if (isLast) return "absent";
  return todo.includes("..") ? "astray" : "lost";
}

/** Puts the target of a link in front of the components to come. Null: the walk goes on. */
function followLink(walk: Walk, link: string, { layer }: Entry): ResolvedPath | null {
  const { tree, todo, slash } = walk;
  if (++walk.links > MAX_LINKS) return { state: "loop", logical: link, slash };
  walk.direct = false;
  const target = disk.readlinkSync(layer === "upper" ? tree.upperOf(link) : link);
  const root = isAbsolute(target) ? parse(target).root : "";
  if (root !== "") {
    walk.here = root;
    walk.entry = null;
  }
  todo.unshift(...target.slice(root.length).split(SEPARATOR));
  return null;
}
