import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";
import { recordServer } from "./record-server.ts";

const program = fileURLToPath(new URL("../programs/edited-server.mjs", import.meta.url));
const bench = ownBench();
const command = (edit: string): string[] => [process.execPath, program, edit, join(bench.folder, "address")];
let run = "";

beforeAll(async () => {
  const env = { PROVIDER_URL: bench.provider.url };
  const summary = await recordServer(bench.store, command("none"), { env }, async (url) => {
    await (await fetch(url, { method: "POST", body: "hello" })).text();
  });
  expect(summary).toMatchObject({ steps: 2, complete: true });
  run = summary.run ?? "";
}, 60_000);

test.each([
  ["throws-early", { verdict: "error" }],
  ["extra-before", { verdict: "extra" }],
  ["no-second", { verdict: "missing", step: 2 }],
  ["status", { verdict: "output-changed", pointer: "/status", recorded: 200, now: 201 }],
  ["header", { verdict: "output-changed", pointer: "/headers/x-new" }],
  ["header-value", { verdict: "output-changed", pointer: "/headers/x-old" }],
  ["truncated", { verdict: "output-changed", pointer: "/body" }],
  ["extra-after", { verdict: "exhausted" }],
  ["late-timer", {}],
  ["never-answers", { verdict: "no-progress" }],
  ["exits", { verdict: "output-changed", cause: "the server did not answer the request (recorded: 200)" }],
])("an edit of the handler is found: %s", { timeout: 60_000 }, async (edit, divergence) => {
  const { report, code } = await bench.store.replay(run, command(edit));
  expect([code, report.verdict]).toEqual([10, "diverged"]);
  expect(report.divergence).toMatchObject(divergence);
});
