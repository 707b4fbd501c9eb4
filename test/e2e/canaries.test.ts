import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bin, launch, Store } from "./reenact.ts";
import { scale } from "../scale.ts";
import { addressValue, type Canary, canaryValue, drawing, shapelessValue } from "../redaction-proof/canary.ts";
import { startCanaryProvider } from "../redaction-proof/canary-provider.ts";
import { filesBelow, output, type Place, strays } from "../redaction-proof/places.ts";

const AGENT = fileURLToPath(new URL("../redaction-proof/canary-agent.mjs", import.meta.url));
const SEED = Number(process.env["CANARY_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
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
const carriers = [...readFileSync(AGENT, "utf8").matchAll(/^ {2}"?([a-z.-]+)"?: /gm)].map(([, name]) => name as string);

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
  planFile = join(store.folder, "..", `canary-plan-${process.pid}.json`);
  writeFileSync(planFile, JSON.stringify(plan));
  const provider = await startCanaryProvider(plan);
  const env: Record<string, string> = { PLAN: planFile, PROVIDER_URL: provider.url, REENACT_STORE: store.folder };
  plan["environment"]?.forEach((value, i) => (env[`NOTE_${i}`] = value));
  plan["environment.secret"]?.forEach((value, i) => (env[`SERVICE_${i}_TOKEN`] = value));
  const command = ["--import", "@reenact/node/register", AGENT, ...(plan["argument"] ?? [])];
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const options = { cwd, env, timeoutMs: 240_000 };

  ended = await launch([process.execPath, ...command], options);
  // what lies there before anything is sealed
  places.push(...filesBelow(store.folder), output("recorder's lines", recorderLines(ended.stderr)));
  const say = async (name: string, ...args: string[]): Promise<string> => {
    const { stdout, stderr } = await launch([process.execPath, bin, ...args, "--store", store.folder], {
      cwd,
      env: { ...env, REENACT_STORE: undefined },
    });
    places.push(output(`${name}: stdout`, stdout), output(`${name}: stderr`, stderr));
    return stdout;
  };
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
}, 300_000);

let verdicts: string[] = [];
let planFile = "";
afterAll(() => {
  rmSync(planFile, { force: true });
  store.remove();
});

const recorderLines = (stderr: string): string =>
  stderr
    .split("\n")
    // the program's own stack may name a folder of that name
    .filter((line) => /(?:^|\s)reenact[:\s]/.test(line))
    .join("\n");

test("the agent went through all of it, and it was recorded", () => {
  expect(carriers.length).toBeGreaterThan(45);
  expect(ended.stderr).toContain("RangeError: cannot go on with");
  expect(ended.stderr.split("\n").filter((line) => line.startsWith("agent: "))).toEqual([]);
  expect(recorderLines(ended.stderr)).toBe("");
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

test("the search itself finds what is there", () => {
  const [one] = canaries as [Canary];
  const holds = (text: string): number => strays([one], [output("x", text)]).length;
  expect(holds(`a ${one.value} b`)).toBe(1);
  for (const pad of ["", "a", "ab"]) expect(holds(Buffer.from(`${pad}${one.value} tail`).toString("base64"))).toBe(1);
  expect(holds(encodeURIComponent(one.value))).toBe(1);
  expect(holds("nothing")).toBe(0);
});

test("every call of the replay was found in the redacted record", () => {
  expect(new Set(verdicts)).toEqual(new Set(["exact", "equivalent"]));
  expect(verdicts.length).toBeGreaterThan(EACH * 40);
});
