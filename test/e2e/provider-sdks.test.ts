import { readFileSync } from "node:fs";
import { join } from "node:path";
import { readEnvelope } from "@reenact/envelope/file";
import { PROVIDERS } from "@reenact/providers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";

const root = join(import.meta.dirname, "../..");
const preload = join(root, "test/programs/host-on-loopback.mjs");

let store: Store;
beforeAll(() => {
  store = new Store();
});
afterAll(() => store.remove());

test.each(PROVIDERS)("a program with the SDK of $title is recorded and replays without the provider", async (row) => {
  const host = row.hosts[0]?.host ?? "models.of-a-team.example";
  const provider = await startChildProvider({ log: join(store.folder, `${row.name}.jsonl`) });
  const env = { PROVIDER_URL: `http://${host}:${provider.port}`, LOOPBACK_HOST: host };
  const command = [
    process.execPath,
    "--import",
    preload,
    join(root, "packages/providers/src", row.name, "fixtures/agent.mjs"),
  ];
  const recorded = await store.run(command, { env });
  await provider.stop();
  expect(recorded.stderr).not.toContain("Error");
  expect({ code: recorded.code, complete: recorded.summary.complete }).toEqual({ code: 0, complete: true });

  const run = recorded.summary.run as string;
  const { spans } = readEnvelope(readFileSync(store.path(run)));
  const requests = provider.log().filter(({ event }) => event === "request");
  expect(requests.length).toBeGreaterThan(3);
  const records = spans.flatMap(({ span }) => span.attributes["reenact.record"] ?? []);
  const ops = records.map((record) => (JSON.parse(record as string) as { op: string }).op);
  expect(ops).toHaveLength(requests.length);
  expect(ops.filter((op) => !op.startsWith(`${row.name}.`))).toEqual([]);

  const replayed = await store.replay(run, command, { env });
  expect(replayed.report.verdict, replayed.stderr).toBe("identical");
  expect(replayed.stdout).toBe(recorded.stdout);
});
