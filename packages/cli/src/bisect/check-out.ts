import { lstatSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { git, type Repository, type Revision } from "./git-history.ts";

export interface CheckedOut {
  /** the folder in it that stands for the one in which the command was given */
  readonly folder: string;
  remove(): Promise<void>;
}

/**
 * Checks out a revision below `scratch`; the working tree stays as it is. All revisions are checked out to one path, one after another,
 * so that a path which a program prints is no difference between them. `packages`: the installed packages of the working tree are linked
 * into it.
 */
export async function checkOut(
  { root, inside }: Repository,
  { id }: Revision,
  { scratch, packages }: { readonly scratch: string; readonly packages: boolean },
): Promise<CheckedOut> {
  const folder = join(scratch, "checked-out", basename(root));
  await git(root, ["worktree", "add", "--detach", "--quiet", folder, id], "git worktree prune");
  if (packages) for (const each of await installedFolders(root)) linkPackages(root, folder, each);
  return {
    folder: join(folder, inside),
    remove: async () => void (await git(root, ["worktree", "remove", "--force", folder], "git worktree prune")),
  };
}

/** Folders of installed packages that git does not track, relative to the root. */
async function installedFolders(root: string): Promise<string[]> {
  const untracked = await git(root, ["ls-files", "--others", "--directory", "-z"], "git status");
  const found = untracked.split("\0").filter((path) => /(?:^|\/)node_modules\/$/.test(path));
  return found.map((path) => path.slice(0, -1));
}

function linkPackages(root: string, folder: string, installed: string): void {
  const [from, to] = [join(root, installed), join(folder, installed)];
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    if (!name.startsWith("@")) link(root, folder, join(from, name), join(to, name));
    else {
      mkdirSync(join(to, name), { recursive: true });
      for (const scoped of readdirSync(join(from, name)))
        link(root, folder, join(from, name, scoped), join(to, name, scoped));
    }
  }
}

/** A package of the repository itself, as workspaces link them, is that of the revision. */
function link(root: string, folder: string, from: string, to: string): void {
  const target = lstatSync(from).isSymbolicLink() ? realpathSync(from) : from;
  const path = relative(realpathSync(root), target);
  const isOwn = !path.startsWith(`..${sep}`) && !path.split(sep).includes("node_modules");
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(isOwn ? join(folder, path) : target, to);
}
