import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type Envelope, readEnvelope } from "@reenact/envelope/file";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { LoggedRequest } from "../../examples/scripted-provider/request-log.ts";
import { Store } from "../e2e/reenact.ts";
import { type ChildProvider, readLog, startChildProvider } from "../provider/child-provider.ts";
import { scale } from "../scale.ts";
import { CollectorProgram } from "./collector-program.ts";
import { type Acted, judge, type ToolLine } from "./oracle.ts";

const program = fileURLToPath(new URL("mortal-agent.mjs", import.meta.url));
const preload = fileURLToPath(new URL("../../packages/node/dist/register.js", import.meta.url));
const rounds = scale(2, 8, 200);

const folder = mkdtempSync(join(tmpdir(), "sender-kill-"));
const log = join(folder, "provider.jsonl");
const collector = new CollectorProgram(folder);
let provider: ChildProvider;

beforeAll(async () => {
  provider = await startChildProvider({ log });
  await collector.start();
});
afterAll(async () => {
  await collector.kill();
  await provider.stop();
  rmSync(folder, { recursive: true, force: true });
});

function lines<T>(path: string): T[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return text.map((line) => JSON.parse(line) as T);
}

/** Starts the agent, kills the collector under it at some moment, then the agent; returns when it died. */
async function killedUnder(store: Store, own: string, seed: string, acts: number): Promise<number> {
  const child = spawn(process.execPath, ["--import", preload, program, own, seed], {
    env: {
      ...process.env,
      NODE_OPTIONS: "",
      VITEST: undefined,
      PROVIDER_URL: provider.url,
      REENACT_STORE: store.folder,
      REENACT_ENDPOINT: collector.url,
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const over = once(child, "exit");
  const acted = () => lines(join(own, "acted.jsonl")).length;
  const until = async (count: number) => {
    for (const end = Date.now() + 20_000; acted() < count && Date.now() < end;) await sleep(3);
  };
  await until(Math.ceil(acts / 3));
  await sleep(Math.random() * 150);
  await collector.kill();
  const away = acts % 2 === 0;
  if (!away) await collector.start();
  await until(acts);
  await sleep(Math.random() * 60);
  const at = Date.now();
  child.kill("SIGKILL");
  await over;
  if (away) await collector.start();
  return at;
}

/** The clock is put back by the 5 s for which a silent file is left alone. */
function letTimePass(store: Store): void {
  const spool = join(store.folder, "spool");
  const then = new Date(Date.now() - 6000);
  for (const name of existsSync(spool) ? readdirSync(spool) : []) utimesSync(join(spool, name), then, then);
}

async function runsAt(since: ReadonlySet<string>): Promise<Envelope[]> {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(50)) {
    const response = await fetch(`${collector.url}/api/v1/runs?limit=500`);
    const { runs } = (await response.json()) as { runs: { run: string; bytes: number }[] };
    const fresh = runs.filter(({ run }) => !since.has(run));
    if (fresh.length === 0 || fresh.some(({ bytes }) => bytes === 0)) continue;
    return Promise.all(
      fresh.map(async ({ run }) => {
        const envelope = await fetch(`${collector.url}/api/v1/runs/${run}/envelope`);
        return readEnvelope(new Uint8Array(await envelope.arrayBuffer()));
      }),
    );
  }
  throw new Error("the run was not sealed in 20 s");
}

test(
  `agent and collector are both killed ${rounds} times: what the agent acted on is with the collector, once`,
  async () => {
    const wrong: string[] = [];
    const seen = new Set<string>();
    let acted = 0;
    let spans = 0;
    for (let n = 0; n < rounds; n++) {
      const seed = `k${n}`;
      const store = new Store();
      const own = mkdtempSync(join(folder, "agent-"));
      const at = await killedUnder(store, own, seed, 6 + Math.floor(Math.random() * 40));
      letTimePass(store);
      const shipped = await store.command("ship");
      if (shipped.code !== 0) wrong.push(`${seed}: ship ended with ${shipped.code}: ${shipped.stderr}`);
      const runs = await runsAt(seen);
      for (const { id } of runs) seen.add(id);
      const requests = readLog(log).filter((entry): entry is LoggedRequest => entry.event === "request");
      truncateSync(log);
      const facts = {
        at,
        acted: lines<Acted>(join(own, "acted.jsonl")).filter(({ id }) => id !== "begun"),
        tools: lines<ToolLine>(join(own, "tools.jsonl")),
        requests,
      };
      acted += facts.acted.length;
      wrong.push(...judge(facts, runs).map((line) => `${seed}: ${line}`));
      for (const run of runs) {
        const ids = run.spans.map(({ span }) => span.spanId);
        spans += ids.length;
        if (new Set(ids).size !== ids.length) wrong.push(`${seed}: a span of run ${run.id} is there twice`);
      }
      const left = existsSync(join(store.folder, "spool")) ? readdirSync(join(store.folder, "spool")) : [];
      if (left.length > 0) wrong.push(`${seed}: ${left.join(", ")} left in the spool`);
      store.remove();
    }
    process.stderr.write(`sender: ${rounds} double kills, ${acted} acts, ${spans} spans, ${wrong.length} wrong\n`);
    expect(wrong.slice(0, 10).join("\n")).toBe("");
    expect(acted).toBeGreaterThan(rounds);
  },
  rounds * 30_000,
);
