import { mkdtempSync, readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Ask } from "@reenact/wire";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startProvider } from "../../examples/scripted-provider/provider.ts";
import { filesBelow, output, type Place, strays } from "../redaction-proof/places.ts";
import { tradesOf } from "../redaction-proof/trades/trades.mjs";
import { startWiretap, type Wiretap } from "../redaction-proof/wiretap.ts";
import { bin, launch, Store } from "./reenact.ts";
import { type RunningCollector, startCollector, until } from "./running-collector.ts";

const AGENTS = fileURLToPath(new URL("../redaction-proof/trades/agents.mjs", import.meta.url));
const SEED = Number(process.env["CANARY_SEED"] ?? process.env["TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const { trades, values } = tradesOf(SEED);
const canaries = values.map(({ trade, what, value }) => ({ carrier: `${trade}: ${what}`, value }));

const store = new Store();
const sent = new Store();
const places: Place[] = [];
let wire: Wiretap;
let collector: RunningCollector;
let ended: { stdout: string; stderr: string; code: number | null };
let runs: string[] = [];

/** Calls every tool first, and then answers. */
function script(ask: Ask): object | undefined {
  const trade = trades[ask.model];
  if (trade === undefined) return undefined;
  return ask.turns === 0
    ? { calls: ask.tools.map(({ name }) => ({ name, args: {} })) }
    : { text: trade.reply, pieces: Math.ceil(trade.reply.length / 4) };
}

async function startApi(): Promise<{ url: string; stop(): void }> {
  const server = createServer((request, response) => {
    const [, trade = "", ...rest] = (request.url ?? "").split("/");
    const body = trades[trade]?.api[`/${rest.join("/")}`] ?? { ok: true };
    request.resume().once("end", () => {
      const isText = typeof body === "string";
      response.writeHead(200, { "content-type": isText ? "text/yaml" : "application/json" });
      response.end(isText ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => (server.close(), server.closeAllConnections()),
  };
}

beforeAll(async () => {
  const provider = await startProvider({ script });
  const api = await startApi();
  collector = await startCollector();
  wire = await startWiretap("the collector", () => collector.address.http);
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const env = {
    TRADES_SEED: String(SEED),
    OPENAI_API_KEY: "sk-none",
    ANTHROPIC_API_KEY: "sk-none",
    OPENAI_BASE_URL: provider.url,
    API_URL: api.url,
    WORK_FOLDER: mkdtempSync(join(tmpdir(), "reenact-trades-")),
  };
  ended = await store.run([process.execPath, AGENTS], { cwd, env, timeoutMs: 240_000 });
  places.push(...filesBelow(store.folder));
  const destination = {
    REENACT_ENDPOINT: wire.url,
    REENACT_API_KEY: "rk_a-key-of-the-collector",
    REENACT_EXIT_MS: "60000",
  };
  await sent.run([process.execPath, AGENTS], { cwd, env: { ...env, ...destination }, timeoutMs: 240_000 });
  places.push(...filesBelow(sent.folder));
  const say = async (...args: string[]): Promise<void> => {
    const command = [process.execPath, bin, ...args, "--store", store.folder];
    const { stdout, stderr, code } = await launch(command, { cwd, env: { REENACT_ENDPOINT: undefined } });
    expect(code, stderr).toBe(0);
    places.push(output(`${args.join(" ")}: stdout`, stdout), output(`${args.join(" ")}: stderr`, stderr));
  };
  await until("every run sealed by the collector", async () => {
    const all = (await collector.get<{ runs: { run: string; bytes: number }[] }>("/api/v1/runs?limit=500")).runs;
    return all.length > 0 && all.every(({ bytes }) => bytes > 0) && all;
  });
  await say("ls");
  runs = readdirSync(join(store.folder, "runs")).map((name) => name.replace(".reenact", ""));
  for (const run of runs) {
    await say("show", run);
    await say("show", run, "--json");
    await say("export", run, "--json");
    await say("export", run, "--otlp", "-o", join(store.folder, `${run}.otlp`));
  }
  places.push(...filesBelow(store.folder), ...filesBelow(collector.folder), ...wire.places());
  places.push(output("the collector's log", JSON.stringify(collector.lines)));
  await provider.stop();
  api.stop();
}, 400_000);

afterAll(async () => {
  store.remove();
  sent.remove();
  await wire.stop();
  await collector.stop();
});

test("ten agents went through all of it, and it was recorded", () => {
  expect(Object.keys(trades)).toHaveLength(10);
  expect(canaries.length).toBeGreaterThan(450);
  for (const [name, { reply }] of Object.entries(trades)) expect(ended.stdout).toContain(`${name}: ${reply}`);
  expect(ended.code, ended.stderr).toBe(0);
  expect(runs.length).toBeGreaterThan(0);
});

/** Of each trade, texts beside the values that are nobody's. */
const ORDINARY = [
  "NORDDEFFXXX",
  "77124",
  "M-4711",
  "REWE SAGT DANKE",
  "2027-09",
  "1204.55",
  "B12",
  "2026-05-04T09:30:00Z",
  "SM0123456789abcdef0123456789abcdef",
  "SM1123456789abcdef0123456789abcdef",
  "5200.00",
  "2019-02-11",
  "33-1987",
  "LH 440",
  "ABC123",
  "HH-AB 1234",
  "1Z999AA10123456784",
  "55120",
  "SN-1002-3",
  "postgres:16",
  "eu-central-1",
  "83db48f..bf2a1c9",
  "9d70ea61c0947edf82a678bf4d844bd6ed06aede",
  "editor.tabSize",
  "server.port=8080",
  "/app/a.js:10:3",
  "Thu Nov 26 22:51:03 2026 +0000",
  "registry.example",
  "EREF+NOTPROVIDED",
];

test("ordinary text beside the values stays", () => {
  const shown = places.filter(({ name }) => name.startsWith("export") && name.endsWith("stdout"));
  const text = shown
    .map(({ bytes }) => Buffer.from(bytes).toString())
    .join("\n")
    .replaceAll(/\\+"/g, '"');
  expect(ORDINARY.filter((each) => !text.includes(each))).toEqual([]);
});

test("no value that the rules claim can be read anywhere", () => {
  const found = strays(canaries, places).filter(({ carrier }) => !carrier.includes("not claimed"));
  const report = [...Map.groupBy(found, ({ value }) => value)].map(
    ([value, all]) =>
      `${all[0]?.carrier} ${value} in ${all.length} places, ${all[0]?.place.split("/").at(-1)}: … ${all[0]?.around.replace(/[^\x20-\x7e]/g, ".")}`,
  );
  expect(report.join("\n"), `CANARY_SEED=${SEED}`).toBe("");
}, 120_000);
