import { execFile, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";

const root = join(import.meta.dirname, "../..");

interface Manifest {
  name: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const manifestOf = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/** Packs each package of this repository as npm would publish it. Returns its tarball by name. */
export function packAll(folder: string): ReadonlyMap<string, string> {
  const packages = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name));
  const sources = [...packages, join(root, "collector")].filter((source) => existsSync(join(source, "package.json")));
  const tarballs = new Map<string, string>();
  for (const source of sources) {
    const packed = npm(source, ["pack", "--json", "--ignore-scripts", "--pack-destination", folder]);
    const answer = JSON.parse(packed) as { filename: string }[] | Record<string, { filename: string }>;
    const [first] = Object.values(answer);
    if (first === undefined) throw new Error(`npm pack wrote nothing for ${source}`);
    tarballs.set(manifestOf(source).name, join(folder, basename(first.filename)));
  }
  return tarballs;
}

function npm(cwd: string, args: readonly string[]): string {
  const { stdout, stderr, status, error } = spawnSync("npm", args, { cwd, encoding: "utf8", timeout: 300_000 });
  if (error) throw error;
  if (status !== 0) throw new Error(`npm ${args.join(" ")} in ${cwd} ended with ${status}: ${stderr.slice(-2000)}`);
  return stdout;
}

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Project {
  readonly folder: string;
  /** Runs a program of the project's own `node_modules/.bin`, or of PATH. Never throws for an exit code. */
  run(command: string, args: readonly string[], env?: Record<string, string>): Promise<Ended>;
  /** Adds a package from the registry. */
  install(wanted: string): void;
  remove(): void;
}

/**
 * Copies an example into an empty folder and installs it there: our packages from tarballs, the others from the registry,
 * as a user would have them. Nothing of this repository is on its module path.
 */
export function freshProject(example: string, tarballs: ReadonlyMap<string, string>): Project {
  const folder = mkdtempSync(join(tmpdir(), "reenact-example-"));
  const source = join(root, "examples", example);
  for (const name of readdirSync(source))
    if (!/^(node_modules|\.reenact)$/.test(name)) cpSync(join(source, name), join(folder, name), { recursive: true });
  const manifest = manifestOf(folder);
  const ours = [...tarballs].map(([name, file]) => [name, `file:${file}`]);
  const wanted = { ...manifest.dependencies, ...manifest.devDependencies };
  const others = Object.entries(wanted).filter(([name]) => !tarballs.has(name));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ ...manifest, devDependencies: {}, dependencies: Object.fromEntries([...others, ...ours]) }),
  );
  npm(folder, ["install", "--no-audit", "--no-fund", "--loglevel=error"]);
  const path = [join(folder, "node_modules", ".bin"), dirname(process.execPath), process.env["PATH"] ?? ""];
  return {
    folder,
    run(command, args, env = {}) {
      const options = { cwd: folder, env: { ...process.env, PATH: path.join(delimiter), ...env }, timeout: 120_000 };
      return new Promise((resolve, reject) => {
        execFile(command, [...args], options, (error, stdout, stderr) => {
          if (error !== null && typeof error.code !== "number") reject(error);
          else resolve({ status: Number(error?.code ?? 0), stdout, stderr });
        });
      });
    },
    install: (wanted) => void npm(folder, ["install", "--no-save", "--no-audit", "--no-fund", wanted]),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
