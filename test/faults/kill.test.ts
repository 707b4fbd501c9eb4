import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, utimesSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readEnvelope } from "@reenact/envelope/file";
import type { LoggedRequest } from "../../examples/scripted-provider/request-log.ts";
import { bin, Store } from "../e2e/reenact.ts";
import { type ChildProvider, readLog, startChildProvider } from "../provider/child-provider.ts";
import { scale } from "../scale.ts";
import { judge, type Acted, type ToolLine } from "./oracle.ts";

const program = fileURLToPath(new URL("mortal-agent.mjs", import.meta.url));
const preload = fileURLToPath(new URL("../../packages/node/dist/register.js", import.meta.url));
const spoil = fileURLToPath(new URL("spoil-threads.mjs", import.meta.url));
/** How the agent is started, and what happens to the threads that redact. Each state gets as many kills. */
const ALL_STATES = ["run", "preload", "off", "killed", "slow"] as const;
/** KILL_STATES=run,preload limits the kills to these states. */
const chosen = process.env["KILL_STATES"]?.split(",");
const STATES = ALL_STATES.filter((state) => chosen?.includes(state) ?? true);
const kills = STATES.length * scale(2, 6, 300);

let provider: ChildProvider;
const logs = mkdtempSync(join(tmpdir(), "kill-"));
const log = join(logs, "provider.jsonl");

beforeAll(async () => {
  provider = await startChildProvider({ log });
});

afterAll(async () => {
  await provider.stop();
  rmSync(logs, { recursive: true, force: true });
});

function lines<T>(path: string): T[] {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return [];
  }
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as T);
}

interface Killed {
  /** epoch ms */
  at: number;
  runs: ReturnType<typeof readEnvelope>[];
}

/** Starts the agent, kills it a moment after it has acted so many times, and seals what it left. */
async function killed(
  command: string[],
  env: Record<string, string>,
  folder: string,
  store: Store,
  acts: number,
): Promise<Killed> {
  const [file = "", ...args] = command;
  const child = spawn(file, args, {
    env: { ...process.env, NODE_OPTIONS: "", VITEST: undefined, PROVIDER_URL: provider.url, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const over = once(child, "exit");
  const pid = async (): Promise<number> => {
    for (const until = Date.now() + 30_000; Date.now() < until; await sleep(2)) {
      const begun = lines<{ pid?: number }>(join(folder, "acted.jsonl")).find((line) => line.pid !== undefined);
      if (begun?.pid !== undefined) return begun.pid;
    }
    throw new Error("the agent did not begin");
  };
  const victim = await pid();
  for (const until = Date.now() + 20_000; lines(join(folder, "acted.jsonl")).length < acts && Date.now() < until;)
    await sleep(3);
  await sleep(Math.random() * 60);
  const at = Date.now();
  process.kill(victim, "SIGKILL");
  await over;
  if (existsSync(join(store.folder, "spool"))) letTimePass(store);
  return { at, runs: await sealed(store) };
}

async function sealed(store: Store): Promise<ReturnType<typeof readEnvelope>[]> {
  const { stdout } = await store.command("ls", "--json");
  const { runs } = JSON.parse(stdout) as { runs: { run: string }[] };
  return runs.map(({ run }) => readEnvelope(readFileSync(store.path(run))));
}

/** Another process comes along when the file has been silent for 5 s: the clock is put back, the rule stays. */
function letTimePass(store: Store): void {
  const then = new Date(Date.now() - 6000);
  for (const name of readdirSync(join(store.folder, "spool")))
    utimesSync(join(store.folder, "spool", name), then, then);
}

/** The command that starts a recorded agent, and its environment. */
function startOf(
  state: (typeof ALL_STATES)[number],
  agent: string[],
  store: Store,
): [string[], Record<string, string>] {
  const { execPath: node } = process;
  if (state === "run") return [[node, bin, "run", "--quiet", "--store", store.folder, "--", node, ...agent], {}];
  const before = state === "preload" ? [] : ["--import", spoil];
  // where there is no thread, long texts are left out of the record, and with them what the oracle knows a step by
  const short = state === "off" ? { SHORT_TEXTS: "1" } : {};
  const env = { REENACT_STORE: store.folder, SPOIL_THREADS: state, ...short };
  return [[node, ...before, "--import", preload, ...agent], env];
}

describe("kill -9", () => {
  it(`at ${kills} random moments loses nothing that the agent acted on`, { timeout: kills * 15_000 }, async () => {
    const wrong: string[] = [];
    let acted = 0;
    for (let n = 0; n < kills; n++) {
      const seed = `k${n}`;
      const store = new Store();
      const folder = mkdtempSync(join(logs, "agent-"));
      const state = STATES[n % STATES.length] ?? "run";
      const acts = 1 + Math.floor(Math.random() * 40);
      const [command, env] = startOf(state, [program, folder, seed], store);
      const { at, runs } = await killed(command, env, folder, store, acts);
      const requests = readLog(log).filter((entry): entry is LoggedRequest => entry.event === "request");
      const facts = {
        at,
        acted: lines<Acted>(join(folder, "acted.jsonl")).filter(({ id }) => id !== "begun"),
        tools: lines<ToolLine>(join(folder, "tools.jsonl")),
        requests,
      };
      // the next agent's requests stand alone: all of them together would not fit into one text
      truncateSync(log);
      acted += facts.acted.length;
      const isHealthy = state === "run" || state === "preload";
      wrong.push(
        ...judge(facts, runs, isHealthy ? {} : { lateMs: Infinity, mayBeUnread: true }).map(
          (line) => `${seed} (${state}): ${line}`,
        ),
      );
      store.remove();
    }
    process.stderr.write(`kill -9: ${kills} kills, ${acted} acts, ${wrong.length} wrong\n`);
    expect(wrong.slice(0, 10).join("\n")).toBe("");
    expect(acted).toBeGreaterThan(kills);
  });
});
