import { hash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

const NAMES = ["package-lock.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"];
const LARGEST = 20 * 1024 * 1024;

/** SHA-256 of the lockfile in `folder`, or of the nearest above it (a workspace keeps one at its top). */
export function lockfileDigest(folder: string): { name: string; sha256: string } | null {
  for (let at = folder; ; at = dirname(at)) {
    for (const name of NAMES) {
      const path = join(at, name);
      const there = statSync(path, { throwIfNoEntry: false });
      if (there?.isFile() === true && there.size <= LARGEST)
        return { name, sha256: hash("sha256", readFileSync(path)) };
    }
    if (dirname(at) === at) return null;
  }
}
