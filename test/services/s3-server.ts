import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { goBinary, MINIO, VERSITYGW } from "./go-binary.ts";
import { freePort, startServer } from "./start-server.ts";

export interface S3Server {
  readonly endpoint: string;
  readonly pid: number;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** stops it and removes its data */
  stop(): Promise<void>;
  /** kills it with SIGKILL and starts it again on the same port and data */
  crash(): Promise<void>;
  /** kills it with SIGKILL */
  kill(): Promise<void>;
  /** starts it again on the same port and data */
  start(): Promise<void>;
}

const ROOT = { accessKeyId: "labroot", secretAccessKey: "labsecret1" };

export const S3_SERVERS = ["minio", "versitygw"] as const;
export type S3ServerName = (typeof S3_SERVERS)[number];

/** Why it cannot be started here; null: it can. */
export function missingS3Server(name: S3ServerName): string | null {
  const service = name === "minio" ? MINIO : VERSITYGW;
  return goBinary(service) === null ? `${name} is not installed: node test/services/install.ts ${name}` : null;
}

/** On a free port of 127.0.0.1, with a data folder of its own. */
export async function startS3Server(name: S3ServerName): Promise<S3Server> {
  const folder = mkdtempSync(join(tmpdir(), `reenact-${name}-`));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const start = () => (name === "minio" ? startMinio(folder, port, endpoint) : startVersitygw(folder, port, endpoint));
  let server = await start();
  return {
    endpoint,
    credentials: ROOT,
    get pid() {
      return server.pid;
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
    async crash() {
      await server.kill();
      server = await start();
    },
    kill: () => server.kill(),
    async start() {
      server = await start();
    },
  };
}

function startMinio(folder: string, port: number, endpoint: string) {
  const data = join(folder, "data");
  mkdirSync(data, { recursive: true });
  return startServer({
    command: goBinary(MINIO)!,
    args: ["server", data, "--address", `127.0.0.1:${port}`],
    env: {
      MINIO_ROOT_USER: ROOT.accessKeyId,
      MINIO_ROOT_PASSWORD: ROOT.secretAccessKey,
      MINIO_BROWSER: "off",
      MINIO_UPDATE: "off",
    },
    logFile: join(folder, "log"),
    ready: async () => (await fetch(`${endpoint}/minio/health/ready`)).ok,
  });
}

function startVersitygw(folder: string, port: number, endpoint: string) {
  const [data, versions] = [join(folder, "data"), join(folder, "versions")];
  mkdirSync(data, { recursive: true });
  mkdirSync(versions, { recursive: true });
  return startServer({
    command: goBinary(VERSITYGW)!,
    args: [
      "--port",
      `127.0.0.1:${port}`,
      "--access",
      ROOT.accessKeyId,
      "--secret",
      ROOT.secretAccessKey,
      "posix",
      "--versioning-dir",
      versions,
      data,
    ],
    logFile: join(folder, "log"),
    ready: async () => (await fetch(endpoint)).status > 0,
  });
}
