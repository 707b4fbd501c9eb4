import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseServer } from "./databases.ts";
import { serviceCache } from "./service-cache.ts";
import { freePort, startServer } from "./start-server.ts";

const MODULE = "github.com/FerretDB/FerretDB";
const VERSION = "v1.24.2";

const program = (): string => join(serviceCache(), "bin", "ferretdb");

/** Why it cannot be started here; null: it can. */
export function missingFerretdb(): string | null {
  return existsSync(program()) ? null : "ferretdb is not installed: node test/services/install.ts ferretdb";
}

/** Builds a server that speaks MongoDB's protocol over SQLite, from the Go module proxy; MongoDB's own is in no registry. */
export function installFerretdb(): string {
  if (existsSync(program())) return program();
  const bin = join(serviceCache(), "bin");
  const folder = join(serviceCache(), "ferretdb-src");
  mkdirSync(bin, { recursive: true });
  rmSync(folder, { recursive: true, force: true });
  const { Dir } = JSON.parse(go(serviceCache(), ["mod", "download", "-json", `${MODULE}@${VERSION}`])) as {
    Dir: string;
  };
  // files of the module cache are read-only
  cpSync(Dir, folder, { recursive: true });
  spawnSync("chmod", ["-R", "u+w", folder]);
  // it does not start without its version, which its own build writes here
  writeFileSync(join(folder, "build/version/version.txt"), VERSION);
  go(folder, ["build", "-o", program(), "./cmd/ferretdb"]);
  rmSync(folder, { recursive: true, force: true });
  return program();
}

function go(cwd: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync("nice", ["-n", "15", "go", ...args], {
    cwd,
    env: { ...process.env, GOFLAGS: "-buildvcs=false" },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`ferretdb: ${error?.message ?? stderr.slice(-2000)}`);
  return stdout;
}

/** On a free port of 127.0.0.1, with data of its own. */
export async function startFerretdb(): Promise<DatabaseServer> {
  const folder = mkdtempSync(join(tmpdir(), "reenact-ferretdb-"));
  const port = await freePort();
  const server = await startServer({
    command: program(),
    args: [
      "--handler=sqlite",
      `--sqlite-url=file:${folder}/`,
      `--listen-addr=127.0.0.1:${port}`,
      "--debug-addr=-",
      "--telemetry=disable",
      `--state-dir=${folder}`,
    ],
    logFile: join(folder, "log"),
    ready: () => answers(port),
  });
  return {
    env: { MONGODB_URL: `mongodb://127.0.0.1:${port}/` },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.end());
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
}
