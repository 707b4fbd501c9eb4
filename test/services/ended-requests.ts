import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { expect } from "vitest";
import { getPaths, recordServer } from "../e2e/record-server.ts";
import type { Store } from "../e2e/reenact.ts";

/**
 * Records two requests to a server that keeps its connections to a database for two more seconds: the run of each is to end with its
 * request.
 */
export async function recordEndedRequests(
  store: Store,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly runs: readonly string[]; readonly envelopes: readonly Envelope[] }> {
  let asked = 0;
  const { runs } = await recordServer(store, command, { env }, async (url) => {
    await getPaths(["one", "two"])(url);
    asked = Date.now();
    await sleep(2000);
  });
  expect(runs).toHaveLength(2);
  const envelopes = runs.map((run) => readEnvelope(readFileSync(store.path(run))));
  for (const { spans } of envelopes) {
    const root = spans.find(({ span }) => span.attributes["reenact.root"]);
    expect(Number(root?.span.endUnixNano) / 1e6).toBeLessThan(asked + 1000);
  }
  return { runs, envelopes };
}
