import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodeTraces } from "@reenact/envelope";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { afterEach, expect, test } from "vitest";
import { copyOf } from "./laptop.ts";
import { freePort } from "../services/start-server.ts";
import { bin, Store } from "./reenact.ts";
import { startCollector, until } from "./running-collector.ts";

const golden = fileURLToPath(new URL("../fixtures/envelopes/v1-parallel-calls.reenact", import.meta.url));
const run: Envelope = readEnvelope(readFileSync(golden));

let child: ChildProcess | null = null;
afterEach(() => {
  child?.kill("SIGKILL");
});

/** The lines that `reenact ls --watch` has printed so far. */
function watching(...args: string[]): { lines: () => string[]; interrupted: () => Promise<unknown> } {
  const { VITEST: _v, NODE_OPTIONS: _n, REENACT_SERVER: _s, ...env } = process.env;
  const started = spawn(process.execPath, [bin, "ls", "--watch", ...args], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  child = started;
  let text = "";
  started.stdout.on("data", (piece: Buffer) => (text += piece.toString()));
  return {
    lines: () => text.split("\n").slice(0, -1),
    async interrupted() {
      started.kill("SIGINT");
      const [code, signal] = (await once(started, "exit")) as [number | null, string | null];
      return code ?? signal;
    },
  };
}

test("ls --watch shows a collector's runs as they come, while they are open and when they are sealed", async () => {
  const collector = await startCollector({ assemble: { idle: 600_000 }, listen: { port: await freePort() } });
  const { lines, interrupted } = watching("--server", collector.address.http);
  const id = "ab".repeat(16);
  const step = run.spans.find(({ span }) => span !== run.root)!;
  await collector.send(encodeTraces({ ...step.span, traceId: id, attributes: { "reenact.run.id": id } }, step.scanned));
  await until("the open run", async () => lines().some((line) => /^… {2}ababab .* still open$/.test(line)));
  await collector.send(copyOf(run, id));
  await until("the sealed run", async () => lines().some((line) => /^[✓✗] {2}ababab /.test(line)));
  await collector.restart(() => new Promise((resolve) => void setTimeout(resolve, 1200)));
  await collector.send(copyOf(run, "cd".repeat(16)));
  await until("a run after a restart", async () => lines().some((line) => line.includes("cdcdcd")));
  expect(await interrupted()).toBe("SIGINT");
  await collector.stop();
});

test("ls --watch --json shows the runs of the local store as they are sealed there", async () => {
  const store = new Store();
  const { lines } = watching("--store", store.folder, "--json");
  mkdirSync(join(store.folder, "runs"), { recursive: true });
  copyFileSync(golden, store.path(run.id));
  await until("the run", async () => lines().length === 1);
  expect(JSON.parse(lines()[0]!)).toMatchObject({ schemaVersion: 1, run: { run: run.id, state: "sealed" } });
  store.remove();
});
