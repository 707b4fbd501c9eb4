import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bin, launch, Store } from "./reenact.ts";
import { scale } from "../scale.ts";
import { addressValue, type Canary, canaryValue, drawing, shapelessValue } from "../redaction-proof/canary.ts";
import { matrix } from "../redaction-proof/canary-forms.mjs";
import { startCanaryProvider } from "../redaction-proof/canary-provider.ts";
import { startWiretap, type Wiretap } from "../redaction-proof/wiretap.ts";
import { type OtlpReceiver, startReceiver } from "./otlp-receiver.ts";
import { type RunningCollector, startCollector, until } from "./running-collector.ts";
import { filesBelow, output, type Place, strays } from "../redaction-proof/places.ts";

const AGENT = fileURLToPath(new URL("../redaction-proof/canary-agent.mjs", import.meta.url));
const SEED = Number(process.env["CANARY_SEED"] ?? process.env["TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const EACH = scale(4, 20, 40);
/** What only a name, or the process, gives away there. */
const BY_NAME = new Set([
  "header.authorization",
  "header.cookie",
  "answer.cookie",
  "url.user-info",
  "url.secret-name",
  "body.secret-member",
  "tool.secret-member",
  "sensitive",
  "environment.secret",
]);
/** A card number there is a part of a name, and stays. */
const IN_PATHS = new Set(["leak.file", "leak.socket"]);
const [, table = ""] = /const carriers = \{\n([^]*?)\n\};/.exec(readFileSync(AGENT, "utf8")) ?? [];
const carriers = [...table.matchAll(/^ {2}"?([a-z.-]+)"?: /gm)].map(([, name]) => name as string);

const store = new Store();
const canaries: Canary[] = [];
const places: Place[] = [];
let ended: { stdout: string; stderr: string; code: number | null };

beforeAll(async () => {
  const draw = drawing(SEED);
  const plan: Record<string, string[]> = {};
  for (const carrier of carriers) {
    const make = BY_NAME.has(carrier) ? shapelessValue : IN_PATHS.has(carrier) ? addressValue : canaryValue;
    // a file's name has no slash, and one argument is enough
    plan[carrier] = Array.from({ length: EACH }, () => make(draw).replaceAll("/", ""));
    for (const value of plan[carrier]) canaries.push({ carrier, value });
  }
  for (const carrier of matrix) {
    const value = canaryValue(draw).replaceAll("/", "");
    plan[carrier] = [value];
    canaries.push({ carrier, value });
  }
  planFile = join(store.folder, "..", `canary-plan-${process.pid}.json`);
  writeFileSync(planFile, JSON.stringify(plan));
  const provider = await startCanaryProvider(plan);
  const env: Record<string, string> = { PLAN: planFile, PROVIDER_URL: provider.url, REENACT_STORE: store.folder };
  plan["environment"]?.forEach((value, i) => (env[`NOTE_${i}`] = value));
  plan["environment.secret"]?.forEach((value, i) => (env[`SERVICE_${i}_TOKEN`] = value));
  await startDestinations(env);
  const command = ["--import", "@reenact/node/register", AGENT, ...(plan["argument"] ?? [])];
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const options = { cwd, env, timeoutMs: 240_000 };

  ended = await launch([process.execPath, ...command], options);
  // what lies there before anything is sealed
  places.push(...filesBelow(store.folder), output("recorder's lines", recorderLines(ended.stderr)));
  const say = async (name: string, ...args: string[]): Promise<string> => {
    const { stdout, stderr } = await launch([process.execPath, bin, ...args, "--store", store.folder], {
      cwd,
      env: { ...env, ...NOWHERE, REENACT_STORE: undefined },
    });
    places.push(output(`${name}: stdout`, stdout), output(`${name}: stderr`, stderr));
    return stdout;
  };
  await bringBack(env, cwd);
  await say("ls", "ls");
  await say("ls --json", "ls", "--json");
  const runs = readdirSync(join(store.folder, "runs")).map((name) => name.replace(".reenact", ""));
  const main = (
    JSON.parse(await say("ls again", "ls", "--json", "--limit", "999")) as { runs: { run: string; steps: number }[] }
  ).runs.toSorted((a, b) => b.steps - a.steps)[0]?.run as string;
  expect(runs).toContain(main);
  for (const more of [[], ["--json"], ["--raw"], ["--step", "3"]])
    await say(`show ${more.join(" ")}`, "show", main, ...more);
  await say("export --json", "export", main, "--json");
  await say("export --otlp", "export", main, "--otlp", "-o", join(store.folder, "run.otlp"));
  await say("doctor", "doctor");
  await provider.stop();
  const replayed = await store
    .replay(main, [process.execPath, AGENT, ...(plan["argument"] ?? [])], options)
    .catch((error: unknown) => error as Error);
  if (replayed instanceof Error) places.push(output("replay", replayed.message));
  else {
    places.push(
      output("replay: report", JSON.stringify(replayed.report)),
      output("replay: lines", recorderLines(replayed.stderr)),
    );
    verdicts = replayed.report.calls.map((call) => call.verdict);
  }
  places.push(...filesBelow(store.folder));
  for (const wire of wires) places.push(...wire.places());
  // journal, packs, catalog
  places.push(...filesBelow(collector.folder), output("the collector's log", JSON.stringify(collector.lines)));
}, 300_000);

let collector: RunningCollector;
let other: OtlpReceiver;
const wires: Wiretap[] = [];
/** The second destination is away at first, so that the spool is seen too. */
let otherIsThere = false;
const NOWHERE = { REENACT_ENDPOINT: undefined, REENACT_FORWARD: undefined };

/** A real collector, and another receiver that is to get the whole record. */
async function startDestinations(env: Record<string, string>): Promise<void> {
  collector = await startCollector();
  other = await startReceiver(() => ({ status: otherIsThere ? 200 : 503 }), null);
  wires.push(
    await startWiretap("the collector", () => collector.address.http),
    await startWiretap("the second destination", () => other.url),
  );
  const [first, second] = wires as [Wiretap, Wiretap];
  env["REENACT_ENDPOINT"] = first.url;
  env["REENACT_FORWARD"] = second.url;
  env["REENACT_FORWARD_VIEW"] = "full";
  env["REENACT_EXIT_MS"] = "60000";
  env["REENACT_API_KEY"] = "rk_a-key-of-the-collector";
}

/** The rest is sent to the second destination, and the runs come back from the collector into the local store. */
async function bringBack(env: Record<string, string>, cwd: string): Promise<void> {
  otherIsThere = true;
  const shipped = await launch([process.execPath, bin, "ship", "--store", store.folder], { cwd, env });
  places.push(output("ship: stdout", shipped.stdout), output("ship: stderr", shipped.stderr));
  expect([shipped.code, shipped.stderr]).toEqual([0, ""]);
  const runs = await until("every run sealed by the collector", async () => {
    const all = (await collector.get<{ runs: { run: string; bytes: number }[] }>("/api/v1/runs?limit=500")).runs;
    return all.length > 0 && all.every(({ bytes }) => bytes > 0) && all;
  });
  const files = [];
  for (const { run } of runs) {
    const response = await fetch(`${collector.address.http}/api/v1/runs/${run}/envelope`);
    const file = join(store.folder, `${run}.reenact`);
    writeFileSync(file, Buffer.from(await response.arrayBuffer()));
    files.push(file);
  }
  const brought = await launch([process.execPath, bin, "import", ...files, "--store", store.folder], { cwd });
  expect([brought.code, brought.stderr]).toEqual([0, ""]);
}

let verdicts: string[] = [];
let planFile = "";
afterAll(async () => {
  rmSync(planFile, { force: true });
  store.remove();
  for (const wire of wires) await wire.stop();
  await other.stop();
  await collector.stop();
});

const recorderLines = (stderr: string): string =>
  stderr
    .split("\n")
    // the program's own stack may name a folder of that name
    .filter((line) => /(?:^|\s)reenact[:\s]/.test(line))
    .join("\n");

test("the agent went through all of it, and it was recorded", () => {
  expect(carriers.length).toBeGreaterThan(45);
  expect(matrix.length).toBeGreaterThan(500);
  expect(ended.stderr).toContain("RangeError: cannot go on with");
  expect(ended.stderr.split("\n").filter((line) => line.startsWith("agent: "))).toEqual([]);
  // where it takes long it is told once before the end, too
  expect(recorderLines(ended.stderr)).toMatch(
    /^(?:reenact: nothing can be sent to \S+: status 503; [^\n]*\n)?reenact: \d+ runs? (is|are) not sent to \S+: status 503; [^\n]*$/,
  );
  const bytes = places.reduce((sum, place) => sum + place.bytes.length, 0);
  expect(bytes).toBeGreaterThan(canaries.length * 500);
});

test("no value can be read in any of the places, in any form", () => {
  const found = strays(canaries, places);
  const byCarrier = Map.groupBy(found, (stray) => stray.carrier);
  const report = [...byCarrier].map(
    ([carrier, all]) =>
      `${carrier}: ${all.length} in ${[...new Set(all.map((s) => s.place.split("/").at(-1)))].slice(0, 4).join(", ")}: ${all[0]?.value} … ${all[0]?.around.replace(/[^\x20-\x7e]/g, ".")}`,
  );
  expect(report, `CANARY_SEED=${SEED}`).toEqual([]);
}, 120_000);

test("the collector and the second destination have all of it, and were asked for it over their wires", () => {
  const spans = new Set(other.taken().map(({ spanId }) => spanId));
  expect(spans.size).toBeGreaterThan(EACH * 40);
  for (const wire of wires) expect(wire.places().some(({ name }) => name.endsWith("(inflated)"))).toBe(true);
  expect(collector.lines.filter(({ level }) => level === "error")).toEqual([]);
  expect(places.filter(({ name }) => name.startsWith(collector.folder)).length).toBeGreaterThan(3);
});

test("the search itself finds what is there", () => {
  const [one] = canaries as [Canary];
  const holds = (text: string): number => strays([one], [output("x", text)]).length;
  expect(holds(`a ${one.value} b`)).toBe(1);
  for (const pad of ["", "a", "ab"]) expect(holds(Buffer.from(`${pad}${one.value} tail`).toString("base64"))).toBe(1);
  expect(holds(encodeURIComponent(one.value))).toBe(1);
  expect(holds("nothing")).toBe(0);
  const code = { carrier: "a code", value: "494859" };
  const holdsCode = (text: string): number => strays([code], [output("x", text)]).length;
  for (const text of ["code 494859", '{"code":"494859"}', "code:\\n494859.", "=494859"])
    expect(holdsCode(text)).toBe(1);
  for (const text of ["1764303494859431000", "0a494859", "494859ff"]) expect(holdsCode(text)).toBe(0);
});

test("every call of the replay was found in the redacted record", () => {
  expect(new Set(verdicts)).toEqual(new Set(["exact", "equivalent"]));
  expect(verdicts.length).toBeGreaterThan(EACH * 40);
});
