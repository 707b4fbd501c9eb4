import {
  copyFileSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startChildProvider } from "../provider/child-provider.ts";
import { scenarioEnvironment } from "../scenarios/recorded-scenario.ts";
import { Store } from "./reenact.ts";

const root = join(import.meta.dirname, "../..");
const store = new Store();
let project: string;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "typescript-runners-"));
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  copyFileSync(join(root, "test/programs/typed-agent.ts"), join(project, "agent.ts"));
  const scripts = { start: "node agent.ts" };
  writeFileSync(join(project, "package.json"), JSON.stringify({ type: "module", private: true, scripts }));
});

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
  store.remove();
});

const runners: [string, string[]][] = [
  ["Node's type stripping", [process.execPath, "agent.ts"]],
  ["tsx", [join(root, "node_modules/.bin/tsx"), "agent.ts"]],
  ["npm start", ["npm", "start", "--silent"]],
];

test.each(runners)("%s: recorded, then replayed without the provider", { timeout: 120_000 }, async (_, command) => {
  const provider = await startChildProvider({ log: join(store.folder, "provider.jsonl") });
  const report = join(project, "report.txt");
  rmSync(report, { force: true });
  const PATH = `${dirname(process.execPath)}:${process.env["PATH"]}`;
  // compilers keep their cache there
  const caches = [mkdtempSync(join(project, "tmp-")), mkdtempSync(join(project, "tmp-"))];
  const options = (TMPDIR = "") => ({ cwd: project, env: { ...scenarioEnvironment(provider.url), PATH, TMPDIR } });
  const recorded = await store.run(command, options(caches[0]));
  expect(recorded.stderr).toBe("");
  expect(recorded).toMatchObject({ code: 0, summary: { steps: 4, complete: true, runs: [recorded.summary.run] } });
  const written = readFileSync(report, "utf8");
  expect(written.startsWith(recorded.stdout)).toBe(true);
  await provider.stop();

  rmSync(report);
  // once over the cache of the recorded run, once without one
  for (const cache of caches) {
    const replayed = await store.replay(String(recorded.summary.run), command, options(cache));
    expect(replayed.stderr).toBe("");
    expect(replayed.report).toMatchObject({ verdict: "identical", socketsRefused: 0, findings: [], refused: 0 });
    expect(replayed.report.calls.map((call) => call.verdict)).toEqual(["exact", "exact", "exact", "exact"]);
    expect(replayed).toMatchObject({ code: 0, stdout: recorded.stdout });
    // what it writes is the same, in the scratch copy
    expect(existsSync(report)).toBe(false);
    const copies = globSync(`replays/${String(recorded.summary.run).slice(0, 8)}*/files/**/report.txt`, {
      cwd: store.folder,
    });
    expect(copies.map((path) => readFileSync(join(store.folder, path), "utf8"))).toEqual([written]);
    rmSync(join(store.folder, "replays"), { recursive: true });
  }
});
