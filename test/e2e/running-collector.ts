import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Collector, type CollectorAddress, createCollector, createLog, loadConfig } from "@reenact/collector";
import { joinTraces } from "@reenact/envelope";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { Store } from "./reenact.ts";
import { type CollectorSetUp, collectorSetUp } from "./collector-set-up.ts";
import { startProvider } from "../provider/start-provider.ts";

/** A run of `programs/forwarded-desk.mjs`, recorded by the built command against a provider on loopback. */
export async function recordDesk(): Promise<Envelope> {
  const provider = await startProvider();
  const store = new Store();
  try {
    const program = join(import.meta.dirname, "../programs/forwarded-desk.mjs");
    const { summary, stderr } = await store.run([process.execPath, program], { env: { PROVIDER_URL: provider.url } });
    if (summary.run === null) throw new Error(`nothing was recorded: ${stderr}`);
    return readEnvelope(readFileSync(store.path(summary.run)));
  } finally {
    store.remove();
    await provider.stop();
  }
}

/** A run's spans as one request. */
export const requestOf = (run: Envelope): Uint8Array => joinTraces(run.spans.map(({ scanned }) => scanned)).bytes;

export interface RunningCollector {
  readonly address: CollectorAddress;
  readonly folder: string;
  /** what it logged */
  readonly lines: { level: string; event: string; [field: string]: unknown }[];
  /** Sends one request; throws for any answer but 200. */
  send(body: Uint8Array): Promise<void>;
  /** JSON from the API; throws for any answer but 200. */
  get<T>(path: string): Promise<T>;
  /** Ends it, does something, and starts another one over the same folder. */
  restart(between?: () => Promise<void> | void): Promise<void>;
  readonly setUp: CollectorSetUp;
  stop(): Promise<void>;
}

/** Waits until something is there; throws after 20 s, or as many milliseconds as are given. */
export async function until<T>(
  what: string,
  look: () => Promise<T | null | undefined | false>,
  withinMs = 20_000,
): Promise<T> {
  const end = Date.now() + withinMs;
  for (;;) {
    const found = await look();
    if (found !== null && found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`${what}: not in ${withinMs / 1000} s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Spans are taken at once; this waits for store and catalog, too. */
async function whole({ ready }: Collector): Promise<CollectorAddress> {
  const address = await ready;
  await until("every part", async () => (await fetch(`${address.http}/readyz`)).ok);
  return address;
}

/** A collector in this process, on a free port, with a folder of its own; packs are written at once. */
export async function startCollector(settings: Record<string, unknown> = {}): Promise<RunningCollector> {
  const folder = mkdtempSync(join(tmpdir(), "reenact-collector-"));
  const lines: RunningCollector["lines"] = [];
  const setUp = collectorSetUp(folder);
  const config = loadConfig({
    env: {},
    given: {
      data: join(folder, "data"),
      listen: { port: 0 },
      ...setUp.settings,
      ...settings,
    },
  });
  const log = createLog({ write: (line) => void lines.push(JSON.parse(line) as RunningCollector["lines"][number]) });
  let collector = createCollector(config, { log });
  let address = await whole(collector);

  async function asked(path: string, init: RequestInit = {}): Promise<Response> {
    const response = await fetch(`${address.http}${path}`, init);
    if (response.status !== 200) throw new Error(`${path}: status ${response.status}: ${await response.text()}`);
    return response;
  }
  return {
    get address() {
      return address;
    },
    folder,
    lines,
    async send(body) {
      const headers = { "content-type": "application/x-protobuf" };
      await (await asked("/v1/traces", { method: "POST", headers, body: Buffer.from(body) })).arrayBuffer();
    },
    get: async <T>(path: string) => (await asked(path)).json() as Promise<T>,
    async restart(between) {
      await collector.close();
      await between?.();
      collector = createCollector(config, { log });
      address = await whole(collector);
    },
    setUp,
    async stop() {
      await collector.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
