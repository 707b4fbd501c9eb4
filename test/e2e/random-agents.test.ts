import { join } from "node:path";
import { tmpdir } from "node:os";
import { mkdtempSync, rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startChildProvider, type ChildProvider } from "../provider/child-provider.ts";
import { scale } from "../scale.ts";
import { type Load, underLoad } from "./load.ts";
import { Store } from "./reenact.ts";

const PROGRAMS = [
  { name: "concurrent agents", file: "random-agent.mjs", seeds: scale(8, 100, 1000) },
  { name: "processes around agent() calls", file: "random-runs.mjs", seeds: scale(4, 16, 500) },
];
const first = Number(process.env["TEST_FIRST_SEED"] ?? 1);

let provider: ChildProvider;
const logs = mkdtempSync(join(tmpdir(), "random-agents-"));

beforeAll(async () => {
  provider = await startChildProvider({ log: join(logs, "provider.jsonl") });
});

afterAll(async () => {
  await provider.stop();
  rmSync(logs, { recursive: true, force: true });
});

/** One in so many is recorded under load and replayed idle, another one the reverse; 0: none. */
const LOADED = scale(0, 25, 10);

function loadOf(seed: number): Load {
  if (LOADED === 0) return "none";
  if (seed % LOADED === 0) return "recording";
  return seed % LOADED === Math.floor(LOADED / 2) ? "replaying" : "none";
}

async function tryout(file: string, seed: number, store: Store): Promise<string | null> {
  const command = [process.execPath, join(import.meta.dirname, "../programs", file), String(seed)];
  const load = loadOf(seed);
  const record = () => store.run(command, { env: { PROVIDER_URL: provider.url } });
  const recorded = await (load === "recording" ? underLoad(record) : record());
  const { run } = recorded.summary;
  if (run === null)
    return recorded.stdout === "" ? `seed ${seed}: nothing recorded: ${recorded.stderr.slice(0, 500)}` : null;
  if (!recorded.summary.complete) return `seed ${seed}: incomplete: ${recorded.summary.incompleteReasons.join("; ")}`;
  // the address is dead in the replay: nothing may reach it
  const replay = () => store.replay(run, command, { env: { PROVIDER_URL: provider.url } });
  const replayed = await (load === "replaying" ? underLoad(replay) : replay());
  if (replayed.stdout !== recorded.stdout)
    return `seed ${seed}: output differs: ${JSON.stringify(replayed.report.divergence)}\n--- recorded\n${recorded.stdout}\n--- replayed\n${replayed.stdout}`;
  const { report } = replayed;
  if (report.verdict !== "identical")
    return `seed ${seed}: ${report.verdict}: ${JSON.stringify(report.divergence)} ${report.findings.join()}`;
  if (report.socketsRefused !== 0) return `seed ${seed}: ${report.socketsRefused} connections tried`;
  return null;
}

describe.each(PROGRAMS)("random $name", ({ file, seeds }) => {
  it(`${seeds} of them replay identically`, { timeout: seeds * 10_000 }, async () => {
    const failures: string[] = [];
    let next = first;
    const worker = async (): Promise<void> => {
      const store = new Store();
      while (next < first + seeds) {
        const failure = await tryout(file, next++, store);
        if (failure !== null) failures.push(failure);
      }
      store.remove();
    };
    await Promise.all([worker(), worker()]);
    expect(failures.slice(0, 5).join("\n\n")).toBe("");
  });
});
