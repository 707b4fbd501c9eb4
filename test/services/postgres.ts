import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificate } from "./certificate.ts";
import { installPackages } from "./debian-packages.ts";
import { serviceCache } from "./service-cache.ts";
import { freePort, type RunningServer, startServer } from "./start-server.ts";

/** The newest that is installed; undefined: none is. */
const programs = (): string | undefined =>
  globSync("/usr/lib/postgresql/*/bin").toSorted((a, b) => Number(b.split("/")[4]) - Number(a.split("/")[4]))[0];

/** Written by `installPostgres`. Without it a server that the machine has for another purpose is not used, so that `npm test` does not get slower. */
const marker = () => join(serviceCache(), "postgres");

/** Why it cannot be started here; null: it can. */
export function missingPostgres(): string | null {
  if (existsSync(marker()) && programs() !== undefined) return null;
  return "postgres is not installed: node test/services/install.ts postgres";
}

/** Debian's; asks for root. */
export function installPostgres(): string {
  if (programs() === undefined) installPackages("postgresql");
  const folder = programs() ?? "";
  mkdirSync(serviceCache(), { recursive: true });
  writeFileSync(marker(), `${folder}\n`);
  return folder;
}

export interface Postgres {
  /** for libpq and pg: where it is, and as whom to connect */
  readonly env: Readonly<Record<string, string>>;
  /** PEM file of the certificate that it shows, for localhost and 127.0.0.1 */
  readonly certificate: string;
  /** runs a statement as this user, who has the same password */
  sql(text: string, user: string): void;
  /** stops it and removes its data */
  stop(): Promise<void>;
  /** SIGKILL, and its data are removed */
  kill(): Promise<void>;
  /** SIGKILL; it comes back with `up`, on the same port and data */
  down(): Promise<void>;
  up(): Promise<void>;
}

const PASSWORD = "a-password-of-tests-1";

/** On a free port of 127.0.0.1, with data of its own. It asks for a password (SCRAM-SHA-256), and offers TLS. */
export async function startPostgres(): Promise<Postgres> {
  const bin = programs();
  if (bin === undefined) throw new Error(missingPostgres() ?? "");
  const folder = mkdtempSync(join(tmpdir(), "reenact-postgres-"));
  const data = join(folder, "data");
  const as = serverUser(folder);
  mkdirSync(data);
  const passwords = join(folder, "password");
  writeFileSync(passwords, PASSWORD);
  for (const path of [data, passwords]) if (as !== null) chownSync(path, as.uid, as.gid);
  run(as, join(bin, "initdb"), [
    "-D",
    data,
    "-U",
    "tester",
    `--pwfile=${passwords}`,
    "-E",
    "UTF8",
    "--locale=C.UTF-8",
    "-A",
    "scram-sha-256",
  ]);
  const { key, certificate } = makeCertificate(folder);
  for (const path of [key, certificate]) if (as !== null) chownSync(path, as.uid, as.gid);
  const port = await freePort();
  const options = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    fsync: "off",
    ssl: "on",
    ssl_cert_file: certificate,
    ssl_key_file: key,
  };
  const args = ["-D", data, ...Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const [command, ...prefix] = [...through(as), join(bin, "postgres")];
  const start = (): Promise<RunningServer> =>
    startServer({
      command,
      args: [...prefix, ...args],
      logFile: join(folder, "log"),
      ready: async () => spawnSync(join(bin, "pg_isready"), ["-h", "127.0.0.1", "-p", String(port)]).status === 0,
    });
  let server = await start();
  const end = async (how: "stop" | "kill"): Promise<void> => {
    await server[how]();
    rmSync(folder, { recursive: true, force: true });
  };
  const env = {
    PGHOST: "127.0.0.1",
    PGPORT: String(port),
    PGUSER: "tester",
    PGPASSWORD: PASSWORD,
    PGDATABASE: "postgres",
  };
  return {
    env,
    sql: (text, user) => run(null, join(bin, "psql"), ["-qc", text], { ...process.env, ...env, PGUSER: user }),
    stop: () => end("stop"),
    kill: () => end("kill"),
    certificate,
    down: () => server.kill(),
    async up() {
      server = await start();
    },
  };
}

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL does not start as root. */
function serverUser(folder: string): User | null {
  if (process.getuid?.() !== 0) return null;
  chmodSync(folder, 0o755);
  const id = (what: string): number => Number(spawnSync("id", [what, "postgres"], { encoding: "utf8" }).stdout);
  return { uid: id("-u"), gid: id("-g") };
}

const through = (as: User | null): string[] =>
  as === null ? [] : ["setpriv", `--reuid=${as.uid}`, `--regid=${as.gid}`, "--clear-groups"];

function run(as: User | null, command: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): void {
  const [file = "", ...rest] = [...through(as), command, ...args];
  const { status, stderr, error } = spawnSync(file, rest, {
    env,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr.slice(-2000)}`);
}
