import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ReplayReport } from "@reenact/replay";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Canary, drawing, shapelessValue } from "../redaction-proof/canary.ts";
import { startCanaryProvider } from "../redaction-proof/canary-provider.ts";
import { filesBelow, output, type Place, strays } from "../redaction-proof/places.ts";
import { secretShapes, shapes } from "../redaction-proof/shapes.mjs";
import { startWiretap, type Wiretap } from "../redaction-proof/wiretap.ts";
import { type OtlpReceiver, startReceiver } from "./otlp-receiver.ts";
import { bin, launch, Store } from "./reenact.ts";
import { type RunningCollector, startCollector, until } from "./running-collector.ts";

const AGENT = fileURLToPath(new URL("../redaction-proof/structured-agent.mjs", import.meta.url));
const SEED = Number(process.env["CANARY_SEED"] ?? process.env["TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const draw = drawing(SEED);
const LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ";
const passport = (): string =>
  `${LETTERS[draw(23)]}${LETTERS[draw(23)]}${1_000_000 + draw(8_999_999)}${LETTERS[draw(23)]}${LETTERS[draw(23)]}`;
/** Under each name: its shapes, and a value that only the name gives away. */
const NAMES: readonly [name: string, shapes: readonly string[], value: () => string][] = [
  ["password", [...Object.keys(shapes), ...Object.keys(secretShapes)], () => shapelessValue(draw)],
  ["passport_number", Object.keys(shapes), passport],
];
const carriers = [...readFileSync(AGENT, "utf8").matchAll(/^ {2}"((?:tool|step|input|agent|flag)\.[a-z-]+)": /gm)].map(
  ([, name]) => name as string,
);

const store = new Store();
const canaries: Canary[] = [];
const places: Place[] = [];
const wires: Wiretap[] = [];
const receivers: OtlpReceiver[] = [];
const planFile = join(store.folder, "..", `structured-plan-${process.pid}.json`);
let ended: { stdout: string; stderr: string; code: number | null };
let exported = "";
let collector: RunningCollector;
const killed = new Store();
let calls: ReplayReport["calls"] = [];
let runs: ReplayReport["runs"] = [];

type Plan = Record<string, Record<string, string[]>>;

function planned(): Plan {
  const plan: Plan = {};
  for (const [name, table, value] of NAMES) {
    const own: Record<string, string[]> = (plan[name] = {});
    const put = (carrier: string, kinds: readonly string[]): void => {
      own[carrier] = kinds.map(value);
      for (const [i, each] of own[carrier].entries())
        canaries.push({ carrier: `${name} in ${carrier}: ${kinds[i]}`, value: each });
    };
    for (const carrier of carriers) put(carrier, table);
    put("rows", ["one", "two", "three"]);
    put("header-lists", ["flat", "object", "pairs", "raw", "flat for undici", "buffers"]);
    put("identify", ["user", "session", "tag"]);
    put("mark", ["JSON", "JSON in a sentence", "setting"]);
    put("end", ["of the error", "within"]);
  }
  return plan;
}

beforeAll(async () => {
  const plan = planned();
  writeFileSync(planFile, JSON.stringify(plan));
  const provider = await startCanaryProvider({});
  await startDestinations();
  const env: Record<string, string | undefined> = {
    PLAN: planFile,
    PROVIDER_URL: provider.url,
    REENACT_STORE: store.folder,
    REENACT_ENDPOINT: wires[1]?.url,
    REENACT_FORWARD: wires[0]?.url,
    REENACT_FORWARD_VIEW: "full",
    REENACT_API_KEY: "rk_a-key-of-the-collector",
    REENACT_EXIT_MS: "60000",
  };
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const options = { cwd, env, timeoutMs: 120_000 };
  const away = { ...env, REENACT_ENDPOINT: undefined, REENACT_FORWARD: undefined };
  ended = await launch([process.execPath, "--import", "@reenact/node/register", AGENT], options);
  // what lies there before anything is sealed
  places.push(...filesBelow(store.folder));
  journal = filesBelow(join(collector.folder, "data", "journal"));
  places.push(...journal);
  const say = async (folder: string, ...args: string[]): Promise<string> => {
    const command = [process.execPath, bin, ...args, "--store", folder];
    const said = await launch(command, { cwd, env: { ...away, REENACT_STORE: undefined } });
    places.push(output(`${args.join(" ")}: stdout`, said.stdout), output(`${args.join(" ")}: stderr`, said.stderr));
    return said.stdout;
  };
  await dieBeforeSealing({ ...options, env: { ...away, REENACT_STORE: killed.folder, END: "kill" } });
  places.push(output("seal what a killed agent left", await say(killed.folder, "ls", "--json")));
  places.push(...filesBelow(killed.folder));
  const list = await bringBack((...args) => say(store.folder, ...args));
  const main = list.toSorted((a, b) => b.steps - a.steps)[0]?.run as string;
  const last = list.find(({ run }) => run !== main)?.run as string;
  for (const more of [[], ["--json"], ["--raw"]]) await say(store.folder, "show", main, ...more);
  await say(store.folder, "show", last, "--json");
  exported = await say(store.folder, "export", main, "--json");
  await say(store.folder, "export", main, "--otlp", "-o", join(store.folder, "main.otlp"));
  await atTheCollector(main, plan, (...args) => say(store.folder, ...args));
  const replayed = await store.replay(main, [process.execPath, AGENT], { ...options, env: away });
  places.push(output("replay: report", JSON.stringify(replayed.report)));
  calls = replayed.report.calls;
  runs = replayed.report.runs;
  places.push(...filesBelow(store.folder), ...filesBelow(collector.folder));
  places.push(output("the collector's log", JSON.stringify(collector.lines)));
  for (const wire of wires) places.push(...wire.places());
  for (const { requests } of receivers)
    for (const { body, path } of requests) places.push({ name: `forwarded to ${path}`, bytes: body });
  await provider.stop();
}, 400_000);

/** A receiver of the agent's, and a collector that forwards to two others. */
async function startDestinations(): Promise<void> {
  for (let i = 0; i < 3; i++) receivers.push(await startReceiver(undefined, null));
  const [own, full, people] = receivers as [OtlpReceiver, OtlpReceiver, OtlpReceiver];
  collector = await startCollector({
    forward: [
      { name: "full", url: `${full.url}/v1/traces`, view: "full" },
      { name: "people", url: `${people.url}/v1/traces`, view: "openinference" },
    ],
  });
  wires.push(await startWiretap("the destination", () => own.url));
  wires.push(await startWiretap("the collector", () => collector.address.http));
}

/** The agent again, killed when all of its steps are in the spool. */
async function dieBeforeSealing(options: Parameters<typeof launch>[1]): Promise<void> {
  const { signal } = await launch([process.execPath, "--import", "@reenact/node/register", AGENT], options);
  expect(signal).toBe("SIGKILL");
  const spooled = filesBelow(killed.folder).filter(({ name }) => !name.endsWith(".reenact"));
  places.push(...spooled);
  spooledBytes = spooled.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
let spooledBytes = 0;
/** of the collector */
let journal: readonly Place[] = [];

/** Copies every run from the collector into the local store, and lists them. */
async function bringBack(say: (...args: string[]) => Promise<string>): Promise<{ run: string; steps: number }[]> {
  const sealed = await until("every run sealed by the collector", async () => {
    const { runs: all } = await collector.get<{ runs: { run: string; bytes: number }[] }>("/api/v1/runs?limit=500");
    return all.length > 0 && all.every(({ bytes }) => bytes > 0) && all;
  });
  const files = [];
  for (const { run } of sealed) {
    const response = await fetch(`${collector.address.http}/api/v1/runs/${run}/envelope`);
    const file = join(store.folder, `${run}.reenact`);
    writeFileSync(file, Buffer.from(await response.arrayBuffer()));
    files.push(file);
  }
  await say("import", ...files);
  const list = JSON.parse(await say("ls", "--json", "--limit", "999")) as { runs: { run: string; steps: number }[] };
  return list.runs;
}

/** What can be had from a collector, and what is said of a run there. */
async function atTheCollector(main: string, plan: Plan, say: (...args: string[]) => Promise<string>): Promise<void> {
  const server = ["--server", collector.address.http];
  for (const [name, { mark = [] }] of Object.entries(plan)) {
    const [json, sentence, setting] = mark;
    await say("flag", main, JSON.stringify({ [name]: [json] }), ...server);
    await say("flag", main, `wrong: ${JSON.stringify({ of: { [name]: sentence } })} was sent`, "--json", ...server);
    await say("keep", main, "--reason", `${name}: ${setting}`, ...server);
  }
  marks = (await collector.get<{ marks: unknown[] }>(`/api/v1/runs/${main}/marks`)).marks.length;
  places.push(output("marks", JSON.stringify(await collector.get(`/api/v1/runs/${main}/marks`))));
  places.push(output("runs", JSON.stringify(await collector.get("/api/v1/runs?limit=500"))));
  await say("export", main, "--envelope", "-o", join(store.folder, "from-collector.reenact"), ...server);
  await say("export", main, "--otlp", "-o", join(store.folder, "from-collector.otlp"), ...server);
  await say("export", main, "--json", ...server);
  for (const more of [[], ["--json"], ["--raw"]]) await say("show", main, ...more, ...server);
}
let marks = 0;

afterAll(async () => {
  rmSync(planFile, { force: true });
  store.remove();
  killed.remove();
  await collector.stop();
  for (const wire of wires) await wire.stop();
  for (const receiver of receivers) await receiver.stop();
});

test("the agent went through all of it, and it was recorded and sent", () => {
  expect(carriers.length).toBeGreaterThan(15);
  expect(ended.stderr).toContain("Error: the end");
  expect(ended.stdout).toContain("all done");
  expect(exported.length).toBeGreaterThan(canaries.length * 100);
  expect(readdirSync(join(store.folder, "runs")).length).toBeGreaterThan(10);
  for (const receiver of receivers) expect(receiver.taken().length).toBeGreaterThan(canaries.length / 2);
  expect(spooledBytes).toBeGreaterThan(canaries.length * 100);
  // the names of the values can be read there, so the values could
  const journaled = journal.map(({ bytes }) => Buffer.from(bytes).toString("latin1"));
  for (const [name] of NAMES) expect(journaled.join("").split(name).length).toBeGreaterThan(canaries.length / 4);
  expect(marks).toBe(6);
  for (const name of ["main.otlp", "from-collector.otlp", "from-collector.reenact"])
    expect(places.some((place) => place.name === join(store.folder, name) && place.bytes.length > 10_000)).toBe(true);
});

test("no value can be read in any of the places, in any form", () => {
  const found = Map.groupBy(strays(canaries, places), (stray) => stray.carrier);
  const report = [...found].map(
    ([carrier, all]) =>
      `${carrier}: in ${[...new Set(all.map((s) => s.place.split("/").at(-1)))].slice(0, 3).join(", ")}: ${all[0]?.value} … ${all[0]?.around.replace(/[^\x20-\x7e]/g, ".")}`,
  );
  expect(report, `CANARY_SEED=${SEED}`).toEqual([]);
});

test("every call of the replay was found in the redacted record", () => {
  const other = calls.filter(({ verdict }) => verdict !== "exact" && verdict !== "equivalent");
  expect(other.map((call) => JSON.stringify(call).slice(0, 400))).toEqual([]);
  expect(calls.length).toBeGreaterThan(canaries.length / 2);
  expect(runs.filter(({ verdict }) => !verdict.startsWith("identical"))).toEqual([]);
  expect(runs.length).toBeGreaterThan(10);
});
