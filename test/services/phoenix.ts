import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceCache } from "./service-cache.ts";
import { freePort, startServer } from "./start-server.ts";

const VERSION = "20.26.1";
const folder = () => join(serviceCache(), "phoenix");
const program = () => join(folder(), "bin", "phoenix");
/** a bearer token when authentication is on */
const ADMIN = "an-admin-secret-of-thirty-two-characters-1";

/** Why it cannot be started here; null: it can. */
export function missingPhoenix(): string | null {
  return existsSync(program()) ? null : "phoenix is not installed: node test/services/install.ts phoenix";
}

/** Into a virtual environment of the cache folder; some 850 MB, two minutes. Throws with the installer's message. */
export function installPhoenix(): string {
  if (existsSync(program())) return program();
  run("python3", ["-m", "venv", folder()]);
  run(join(folder(), "bin", "pip"), ["install", "-q", `arize-phoenix==${VERSION}`]);
  return program();
}

function run(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync("nice", ["-n", "15", command, ...args], {
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? stderr.slice(-2000)}`);
}

/** A span as Phoenix's REST interface gives it back. */
export interface PhoenixSpan {
  id: string;
  name: string;
  context: { trace_id: string; span_id: string };
  span_kind: string;
  parent_id: string | null;
  status_code: string;
  status_message: string;
  attributes: Record<string, unknown>;
  events: { name: string; attributes: Record<string, unknown> }[];
}

export interface Phoenix {
  readonly url: string;
  readonly traces: string;
  /** for the header `authorization`; null: none is asked for */
  readonly authorization: string | null;
  /** All spans of a project once there are `count` of them or more; throws after 60 s. */
  spans(project: string, count: number): Promise<PhoenixSpan[]>;
  stop(): Promise<void>;
}

/** On free ports of 127.0.0.1 with data of its own; ready after some 15 s. */
export async function startPhoenix(options: { authentication?: boolean } = {}): Promise<Phoenix> {
  const data = mkdtempSync(join(tmpdir(), "reenact-phoenix-"));
  const [port, grpc] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const server = await startServer({
    command: program(),
    args: ["serve"],
    env: {
      PHOENIX_WORKING_DIR: data,
      PHOENIX_HOST: "127.0.0.1",
      PHOENIX_PORT: String(port),
      PHOENIX_GRPC_PORT: String(grpc),
      PHOENIX_TELEMETRY_ENABLED: "false",
      PHOENIX_ALLOW_EXTERNAL_RESOURCES: "false",
      ...(options.authentication && {
        PHOENIX_ENABLE_AUTH: "true",
        PHOENIX_SECRET: "a-signing-secret-of-thirty-two-characters-2",
        PHOENIX_ADMIN_SECRET: ADMIN,
        PHOENIX_DEFAULT_ADMIN_INITIAL_PASSWORD: "Initial-password-1",
      }),
    },
    logFile: join(data, "log"),
    ready: async () => (await fetch(`${url}/healthz`)).ok,
    timeoutMs: 120_000,
  });
  const authorization = options.authentication ? `Bearer ${ADMIN}` : null;

  async function page(
    project: string,
    cursor: string | null,
  ): Promise<{ data: PhoenixSpan[]; next_cursor: string | null }> {
    const after = cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const headers = authorization === null ? {} : { authorization };
    const response = await fetch(`${url}/v1/projects/${project}/spans?limit=100${after}`, { headers });
    // a project is there with its first span
    if (response.status === 404) return { data: [], next_cursor: null };
    if (!response.ok) throw new Error(`phoenix: status ${response.status}: ${await response.text()}`);
    return (await response.json()) as { data: PhoenixSpan[]; next_cursor: string | null };
  }
  async function all(project: string): Promise<PhoenixSpan[]> {
    const spans: PhoenixSpan[] = [];
    let cursor: string | null = null;
    do {
      const { data: some, next_cursor } = await page(project, cursor);
      spans.push(...some);
      cursor = next_cursor;
    } while (cursor !== null);
    return spans;
  }

  return {
    url,
    traces: `${url}/v1/traces`,
    authorization,
    async spans(project, count) {
      const end = Date.now() + 60_000;
      for (;;) {
        const spans = await all(project);
        if (spans.length >= count) return spans;
        if (Date.now() > end) throw new Error(`phoenix has ${spans.length} of ${count} spans`);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    },
    async stop() {
      await server.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
