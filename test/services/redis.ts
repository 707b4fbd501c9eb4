import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseServer } from "./databases.ts";
import { installPackages } from "./debian-packages.ts";
import { serviceCache } from "./service-cache.ts";
import { freePort, startServer } from "./start-server.ts";

const PROGRAM = "/usr/bin/redis-server";

/** Says that it was installed for the tests: a server that is on the machine for something else makes `npm test` no longer. */
const marker = () => join(serviceCache(), "redis");

/** Why it cannot be started here; null: it can. */
export function missingRedis(): string | null {
  if (existsSync(marker()) && existsSync(PROGRAM)) return null;
  return "redis is not installed: node test/services/install.ts redis";
}

/** Debian's; asks for root. */
export function installRedis(): string {
  if (!existsSync(PROGRAM)) installPackages("redis-server");
  const { stdout } = spawnSync(PROGRAM, ["--version"], { encoding: "utf8" });
  mkdirSync(serviceCache(), { recursive: true });
  writeFileSync(marker(), stdout);
  return stdout.trim();
}

export const REDIS_PASSWORD = "a-password-of-tests-2";

/** On a free port of 127.0.0.1, with data of its own, which it keeps in memory. It asks for a password. */
export async function startRedis(): Promise<DatabaseServer> {
  const folder = mkdtempSync(join(tmpdir(), "reenact-redis-"));
  const port = await freePort();
  const options = { port, bind: "127.0.0.1", dir: folder, save: "", appendonly: "no", requirepass: REDIS_PASSWORD };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const server = await startServer({
    command: PROGRAM,
    args,
    logFile: join(folder, "log"),
    ready: () => answers(port),
  });
  return {
    env: { REDIS_HOST: "127.0.0.1", REDIS_PORT: String(port), REDIS_PASSWORD },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** An error that asks for the password is an answer too. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => socket.write("PING\r\n"));
    socket.once("data", () => socket.end());
    socket.once("data", () => resolve(true));
    socket.once("error", () => resolve(false));
  });
}
