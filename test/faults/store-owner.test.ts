import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readEnvelope } from "@reenact/envelope/file";
import { joinTraces } from "@reenact/envelope";
import { openRunArchive } from "@reenact/collector/store";
import { afterEach, expect, test } from "vitest";

const bin = fileURLToPath(new URL("../../collector/bin/reenact-collector.js", import.meta.url));
const golden = readEnvelope(readFileSync(join(import.meta.dirname, "../fixtures/envelopes/v1-parallel-calls.reenact")));
const spans = golden.spans.map(({ scanned }) => scanned);
const undo: (() => unknown)[] = [];
afterEach(() => {
  for (const each of undo.splice(0).toReversed()) each();
});

function collector(store: string) {
  const data = mkdtempSync(join(tmpdir(), "reenact-owner-"));
  undo.push(() => rmSync(data, { recursive: true, force: true }));
  const { VITEST: _v, NODE_OPTIONS: _n, ...rest } = process.env;
  const child = spawn(process.execPath, [bin], {
    env: {
      ...rest,
      REENACT_COLLECTOR_DATA: data,
      REENACT_COLLECTOR_STORE: store,
      REENACT_COLLECTOR_LISTEN_PORT: "0",
      REENACT_COLLECTOR_ASSEMBLE_SETTLE: "1s",
      REENACT_COLLECTOR_ASSEMBLE_IDLE: "2s",
      REENACT_COLLECTOR_PACK_AGE: "20ms",
      REENACT_COLLECTOR_LOG: "error",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  undo.push(() => child.kill("SIGKILL"));
  let errors = "";
  child.stderr.on("data", (bytes: Buffer) => (errors += bytes.toString()));
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, errors }));
  const http = once(child.stdout, "data").then(([line]) => (JSON.parse(String(line)) as { http: string }).http);
  return { child, http, ended };
}

const send = async (http: string, some: typeof spans) => {
  const answer = await fetch(`${http}/v1/traces`, {
    method: "POST",
    headers: { "content-type": "application/x-protobuf" },
    body: Uint8Array.from(joinTraces(some).bytes),
  });
  expect(answer.status).toBe(200);
};

test("two collectors on one store: the second is refused; one that slept while another took it writes nothing that counts", async () => {
  const store = mkdtempSync(join(tmpdir(), "reenact-owned-"));
  undo.push(() => rmSync(store, { recursive: true, force: true }));
  const first = collector(store);
  const http = await first.http;

  const refused = await collector(store).ended;
  expect(refused.code).toBe(5);
  expect(refused.errors).toMatch(/^TAKEN: .*belongs to the collector of .*; next: stop the other collector/m);

  // half of a run is here when it falls asleep, before the run is sealed
  await send(http, spans.slice(0, 2));
  first.child.kill("SIGSTOP");
  const second = collector(store);
  const taken = await second.http;
  const packs = () =>
    readdirSync(join(store, "v1"), { recursive: true, encoding: "utf8" }).filter((name) =>
      /^runs\/.*[0-9a-f]{64}/.test(name),
    );
  await expect.poll(async () => (await fetch(`${taken}/readyz`)).status, { timeout: 60_000, interval: 200 }).toBe(200);
  await send(taken, spans);
  await expect.poll(packs, { timeout: 30_000, interval: 100 }).toHaveLength(1);

  first.child.kill("SIGCONT");
  const fenced = await first.ended;
  expect(fenced.code).toBe(5);
  expect(fenced.errors).toMatch(/^TAKEN: /m);
  expect(packs()).toHaveLength(1);
  const archive = await openRunArchive(store);
  const { runs } = await archive.find(() => true);
  expect(runs.map(({ entry }) => [entry.run, entry.revision, entry.content])).toEqual([
    [golden.id, 0, golden.header.content],
  ]);
});
