import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseServer } from "./databases.ts";
import { installPackages } from "./debian-packages.ts";
import { serviceCache } from "./service-cache.ts";
import { freePort, startServer } from "./start-server.ts";

const PROGRAM = "/usr/sbin/mariadbd";

/** Says that it was installed for the tests: a server that is on the machine for something else makes `npm test` no longer. */
const marker = () => join(serviceCache(), "mariadb");

/** Why it cannot be started here; null: it can. */
export function missingMariadb(): string | null {
  if (existsSync(marker()) && existsSync(PROGRAM)) return null;
  return "mariadb is not installed: node test/services/install.ts mariadb";
}

/** Debian's; asks for root. */
export function installMariadb(): string {
  if (!existsSync(PROGRAM)) installPackages("mariadb-server");
  const { stdout } = spawnSync(PROGRAM, ["--version"], { encoding: "utf8" });
  mkdirSync(serviceCache(), { recursive: true });
  writeFileSync(marker(), stdout);
  return stdout.trim();
}

export const MARIADB_PASSWORD = "a-password-of-tests-3";

/** On a free port of 127.0.0.1, with data of its own. It asks for a password, and offers TLS. */
export async function startMariadb(): Promise<DatabaseServer> {
  const folder = mkdtempSync(join(tmpdir(), "reenact-mariadb-"));
  const user = serverUser(folder);
  const data = join(folder, "data");
  const own = ["--no-defaults", `--datadir=${data}`, ...(user === null ? [] : [`--user=${user.name}`])];
  run("mariadb-install-db", [...own, "--skip-test-db", "--auth-root-authentication-method=normal"]);
  makeCertificate(folder, user);
  const start = join(folder, "start.sql");
  writeFileSync(
    start,
    [
      "CREATE DATABASE program;",
      `CREATE USER 'tester'@'%' IDENTIFIED BY '${MARIADB_PASSWORD}';`,
      "GRANT ALL ON *.* TO 'tester'@'%' WITH GRANT OPTION;",
      "",
    ].join("\n"),
  );
  const port = await freePort();
  const options = {
    port,
    "bind-address": "127.0.0.1",
    socket: join(folder, "socket"),
    "pid-file": join(folder, "pid"),
    "init-file": start,
    "innodb-flush-log-at-trx-commit": 0,
    "innodb-buffer-pool-size": "32M",
    "skip-name-resolve": 1,
    "ssl-cert": join(folder, "server.crt"),
    "ssl-key": join(folder, "server.key"),
  };
  const server = await startServer({
    command: PROGRAM,
    args: [...own, ...Object.entries(options).map(([name, value]) => `--${name}=${value}`)],
    logFile: join(folder, "log"),
    ready: () => greets(port),
  });
  return {
    env: {
      MYSQL_HOST: "127.0.0.1",
      MYSQL_PORT: String(port),
      MYSQL_USER: "tester",
      MYSQL_PASSWORD: MARIADB_PASSWORD,
      MYSQL_DATABASE: "program",
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface User {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** As root it starts only as another user. */
function serverUser(folder: string): User | null {
  if (process.getuid?.() !== 0) return null;
  const id = (what: string): number => Number(spawnSync("id", [what, "mysql"], { encoding: "utf8" }).stdout);
  const [uid, gid] = [id("-u"), id("-g")];
  chmodSync(folder, 0o755);
  chownSync(folder, uid, gid);
  return { name: "mysql", uid, gid };
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: "utf8", stdio: ["ignore", "ignore", "pipe"] });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr.slice(-2000)}`);
}

function makeCertificate(folder: string, user: User | null): void {
  const [key, certificate] = [join(folder, "server.key"), join(folder, "server.crt")];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"];
  run("openssl", [...request, "-keyout", key, "-out", certificate]);
  for (const path of [key, certificate]) if (user !== null) chownSync(path, user.uid, user.gid);
}

/** The server speaks first. */
function greets(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("data", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
