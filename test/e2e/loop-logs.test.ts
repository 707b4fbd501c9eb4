import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ChildProvider, startChildProvider } from "../provider/child-provider.ts";
import { Store } from "./reenact.ts";

const programs = join(import.meta.dirname, "../programs");
const folder = mkdtempSync(join(tmpdir(), "loop-logs-"));
const store = new Store();
let provider: ChildProvider;

beforeAll(async () => {
  const script = join(programs, "loop-with-log.script.mjs");
  provider = await startChildProvider({ log: join(folder, "provider.jsonl"), script });
});

afterAll(async () => {
  await provider.stop();
  store.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function recordAndReplay(way: string) {
  const command = [process.execPath, join(programs, "loop-with-log.mjs"), way];
  const own = mkdtempSync(join(folder, "files-"));
  const env = { PROVIDER_URL: provider.url, FOLDER: own };
  const recorded = await store.run(command, { env });
  expect(recorded.code, recorded.stderr).toBe(0);
  expect(recorded.stdout).toBe("It is 6.\n");
  const written = readdirSync(own);
  const replayed = await store.replay(recorded.summary.run ?? "", command, { env });
  expect(readdirSync(own)).toEqual(written);
  return { recorded, replayed };
}

test.for(["named", "folder", "opened", "console", "everywhere", "flushed", "again", "pino", "child"])(
  "a log beside a tool that was not recorded, or a child, which is recorded, is no reason to stop: %s",
  async (way) => {
    const { recorded, replayed } = await recordAndReplay(way);
    expect(replayed.report.stopped).toBeNull();
    expect(replayed.report).toMatchObject({ verdict: "identical", divergence: null });
    expect(replayed).toMatchObject({ code: 0, stdout: recorded.stdout });
  },
);

test.for(["writes", "appends", "later"])(
  "an effect of a tool that was not recorded stops the replay: %s",
  async (way) => {
    const { replayed } = await recordAndReplay(way);
    expect(replayed.report.stopped?.reason).toBe("unrecorded-tools");
    expect(replayed.code).toBe(11);
  },
);
