import { execFile } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const cache = process.env["REENACT_RELEASES"] ?? join(homedir(), ".cache", "reenact-releases");
const asked = new Map<string, Promise<string | null>>();

/** Folder of another release of a package, installed once into a cache folder; null where it cannot be had. */
export function otherRelease(name: string, version: string): Promise<string | null> {
  const key = `${name}@${version}`;
  const found = asked.get(key) ?? install(key, name);
  asked.set(key, found);
  return found;
}

async function install(key: string, name: string): Promise<string | null> {
  const prefix = join(cache, key.replace("/", "+"));
  const folder = join(prefix, "node_modules", name);
  if (existsSync(join(folder, "package.json"))) return folder;
  mkdirSync(prefix, { recursive: true });
  const args = ["install", "--prefix", prefix, "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", key];
  try {
    await run("npm", args, { cwd: prefix, timeout: 120_000 });
  } catch {
    return null;
  }
  return existsSync(join(folder, "package.json")) ? folder : null;
}
