import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

const REVISION = /^[0-9a-f]{40,64}$/;

/** The commit that is checked out at or above `folder`, read without starting git; null outside a repository. */
export function gitRevision(folder: string): { revision: string } | null {
  const git = gitFolder(folder);
  if (git === null) return null;
  const head = read(join(git, "HEAD"));
  if (head === null) return null;
  const revision = head.startsWith("ref: ") ? resolveRef(git, head.slice(5).trim()) : head;
  return revision !== null && REVISION.test(revision) ? { revision } : null;
}

/** In a work tree or submodule `.git` is a file that says where the folder is. */
function gitFolder(from: string): string | null {
  for (let at = from; ; at = dirname(at)) {
    const path = join(at, ".git");
    const there = statSync(path, { throwIfNoEntry: false });
    if (there?.isDirectory() === true) return path;
    const pointer = there?.isFile() === true ? read(path) : null;
    if (pointer?.startsWith("gitdir: ") === true) return resolve(at, pointer.slice(8));
    if (dirname(at) === at) return null;
  }
}

function resolveRef(git: string, ref: string): string | null {
  if (!/^refs\/[\w./-]+$/.test(ref) || ref.includes("..")) return null;
  const common = read(join(git, "commondir"));
  for (const folder of common === null ? [git] : [git, resolve(git, common)]) {
    const loose = read(join(folder, ref));
    if (loose !== null) return loose;
    const packed = read(join(folder, "packed-refs"))
      ?.split("\n")
      .find((line) => line.endsWith(` ${ref}`));
    if (packed !== undefined) return packed.slice(0, packed.indexOf(" "));
  }
  return null;
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return null;
  }
}
