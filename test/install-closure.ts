import { globSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface InstalledPackage {
  readonly path: string;
  readonly name: string;
  readonly version: string;
  readonly bytes: number;
  readonly installScript: boolean;
  /** True for a package of this repository; its bytes are those that npm would publish. */
  readonly ours: boolean;
  /** Of those, what is no code of ours: a library's chunks, which .ci/build.mjs calls so, and documents. */
  readonly notCode: number;
}

interface LockEntry {
  version?: string;
  link?: boolean;
  resolved?: string;
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

/** What `npm install <name>` would bring, itself included: read from the lockfile, measured in node_modules. */
export function installClosure(root: string, name: string): InstalledPackage[] {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, LockEntry>;
  };
  const found = new Map<string, InstalledPackage>();
  const visit = (from: string, wanted: string, optional: boolean): void => {
    const at = locate(lock.packages, from, wanted);
    if (!at) {
      if (optional) return;
      throw new Error(`${wanted}, a dependency of ${from}, is not in the lockfile`);
    }
    const path = at.entry.link ? (at.entry.resolved ?? "") : at.path;
    const entry = lock.packages[path];
    if (!entry || found.has(path)) return;
    const ours = at.entry.link === true;
    const bytes = ours ? publishedBytes(join(root, path)) : bytesIn(join(root, path));
    const notCode = ours ? publishedBytes(join(root, path), /(^|\/)third-party-[^/]*\.js$|\.md$/) : 0;
    const installScript = entry.hasInstallScript === true;
    found.set(path, { path, name: wanted, version: entry.version ?? "", bytes, installScript, ours, notCode });
    for (const dependency of Object.keys(entry.dependencies ?? {})) visit(path, dependency, false);
    for (const dependency of Object.keys(entry.optionalDependencies ?? {})) visit(path, dependency, true);
    for (const peer of Object.keys(entry.peerDependencies ?? {})) {
      if (entry.peerDependenciesMeta?.[peer]?.optional !== true) visit(path, peer, false);
    }
  };
  visit("", name, false);
  return [...found.values()];
}

/** Node's look-up: the nearest node_modules folder upwards that has it. */
function locate(entries: Record<string, LockEntry>, from: string, wanted: string) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf("/")))) {
    const path = folder === "" ? `node_modules/${wanted}` : `${folder}/node_modules/${wanted}`;
    const entry = entries[path];
    if (entry) return { path, entry };
    if (folder === "") return null;
  }
}

function bytesIn(folder: string): number {
  return sizeOf(folder, globSync("**/*", { cwd: folder, exclude: ["node_modules"] }));
}

/** The bytes of the files that a package of ours publishes: its `files`, and what npm always adds; of those, `only` some. */
function publishedBytes(folder: string, only = /./): number {
  const { files = [] } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { files?: string[] };
  const included = files
    .filter((pattern) => !pattern.startsWith("!"))
    .flatMap((pattern) => [pattern, `${pattern}/**/*`]);
  const exclude = files.filter((pattern) => pattern.startsWith("!")).map((pattern) => pattern.slice(1));
  const paths = globSync(["package.json", "README.md", ...included], { cwd: folder, exclude });
  return sizeOf(
    folder,
    paths.filter((path) => only.test(path)),
  );
}

function sizeOf(folder: string, paths: string[]): number {
  const stats = [...new Set(paths)].map((path) => lstatSync(join(folder, path)));
  return stats.reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}
