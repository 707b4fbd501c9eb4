import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { CliError } from "../errors/cli-error.ts";

const run = promisify(execFile);

export interface Revision {
  /** 40 hexadecimal digits, or more where the repository has longer ones */
  readonly id: string;
  readonly subject: string;
  readonly author: string;
  /** ISO 8601 */
  readonly date: string;
}

export interface Repository {
  readonly root: string;
  /** from the root to the current folder; empty: it is the root */
  readonly inside: string;
}

export const shortRevision = ({ id }: Revision): string => id.slice(0, 9);

/** Runs git in `folder`. Rejects with `REEN-GIT` and the last line of what git wrote. */
export async function git(folder: string, args: readonly string[], next: string): Promise<string> {
  try {
    const { stdout } = await run("git", ["-C", folder, ...args], { maxBuffer: 64 * 1024 ** 2 });
    return stdout;
  } catch (error) {
    const { stderr = "", message } = error as Error & { readonly stderr?: string };
    const why = stderr.trim().split("\n").at(-1) || message;
    throw new CliError("REEN-GIT", `git ${args[0] ?? ""}: ${why}`, next, { cause: error });
  }
}

export async function repositoryOf(folder: string): Promise<Repository> {
  const next = "run it in a folder of the program's git repository";
  const [root = "", inside = ""] = (await git(folder, ["rev-parse", "--show-toplevel", "--show-prefix"], next)).split(
    "\n",
  );
  return { root, inside };
}

export async function revision(root: string, name: string): Promise<Revision> {
  const next = "name a commit, branch or tag: git log --oneline";
  // a name may not be taken for an option
  const id = (await git(root, ["rev-parse", "--verify", "--end-of-options", `${name}^{commit}`], next)).trim();
  const [one] = revisionsIn(await git(root, ["log", "-1", FORMAT, id], next));
  if (one === undefined) throw new CliError("REEN-GIT", `git log: nothing is known of ${name}`, next);
  return one;
}

/** The revisions after `good` up to `bad`, oldest first, along the first parents. Rejects where `good` is none of their ancestors. */
export async function revisionsBetween(root: string, good: Revision, bad: Revision): Promise<Revision[]> {
  const next = "name the older revision first; both must be on one branch";
  const base = (await git(root, ["merge-base", good.id, bad.id], next)).trim();
  const listed = await git(root, ["log", "--first-parent", "--reverse", FORMAT, `${good.id}..${bad.id}`], next);
  const found = revisionsIn(listed);
  if (base !== good.id || found.length === 0)
    throw new CliError("REEN-GIT", `${shortRevision(good)} does not come before ${shortRevision(bad)}`, next);
  return found;
}

const FORMAT = "--format=%H%x00%s%x00%an%x00%aI";

function revisionsIn(text: string): Revision[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => {
    const [id = "", subject = "", author = "", date = ""] = line.split("\0");
    return { id, subject, author, date };
  });
}
