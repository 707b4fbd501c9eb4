import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitRevision } from "./git-revision.ts";

const revision = "0123456789abcdef0123456789abcdef01234567";

function repository(head: string, files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), "reenact-git-"));
  for (const [name, text] of Object.entries({ HEAD: head, ...files })) {
    mkdirSync(join(folder, ".git", name, ".."), { recursive: true });
    writeFileSync(join(folder, ".git", name), `${text}\n`);
  }
  return folder;
}

test("a branch, a packed branch, a detached head, a folder below", () => {
  expect(gitRevision(repository("ref: refs/heads/main", { "refs/heads/main": revision }))).toEqual({ revision });
  expect(
    gitRevision(repository("ref: refs/heads/x/y", { "packed-refs": `# pack-refs\n${revision} refs/heads/x/y` })),
  ).toEqual({ revision });
  const detached = repository(revision);
  expect(gitRevision(detached)).toEqual({ revision });
  mkdirSync(join(detached, "a/b"), { recursive: true });
  expect(gitRevision(join(detached, "a/b"))).toEqual({ revision });
});

test("a linked work tree finds its branch in the common folder", () => {
  const main = repository("ref: refs/heads/main", {
    "refs/heads/topic": revision,
    "worktrees/w/HEAD": "ref: refs/heads/topic",
    "worktrees/w/commondir": "../..",
  });
  const linked = mkdtempSync(join(tmpdir(), "reenact-tree-"));
  writeFileSync(join(linked, ".git"), `gitdir: ${join(main, ".git/worktrees/w")}\n`);
  expect(gitRevision(linked)).toEqual({ revision });
});

test("no commit yet, a head that leads out of the folder, no repository", () => {
  expect(gitRevision(repository("ref: refs/heads/main"))).toBeNull();
  expect(gitRevision(repository("ref: refs/../../secret"))).toBeNull();
  expect(gitRevision("/")).toBeNull();
});
