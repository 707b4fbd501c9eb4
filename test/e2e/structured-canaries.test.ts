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
const carriers = [...readFileSync(AGENT, "utf8").matchAll(/^ {2}"((?:tool|step|input|agent)\.[a-z-]+)": /gm)].map(
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
let calls: ReplayReport["calls"] = [];
let runs: ReplayReport["runs"] = [];

function planned(): object {
  const plan: Record<string, Record<string, string[]>> = {};
  for (const [name, table, value] of NAMES) {
    const own: Record<string, string[]> = (plan[name] = {});
    const put = (carrier: string, kinds: readonly string[]): void => {
      own[carrier] = kinds.map(value);
      for (const [i, each] of own[carrier].entries())
        canaries.push({ carrier: `${name} in ${carrier}: ${kinds[i]}`, value: each });
    };
    for (const carrier of carriers) put(carrier, table);
    put("rows", ["one", "two", "three"]);
    put("identify", ["user", "session", "tag"]);
    put("end", ["of the error", "within"]);
  }
  return plan;
}

beforeAll(async () => {
  writeFileSync(planFile, JSON.stringify(planned()));
  const provider = await startCanaryProvider({});
  const receiver = await startReceiver(undefined, null);
  receivers.push(receiver);
  wires.push(await startWiretap("the destination", () => receiver.url));
  const env: Record<string, string | undefined> = {
    PLAN: planFile,
    PROVIDER_URL: provider.url,
    REENACT_STORE: store.folder,
    REENACT_FORWARD: wires[0]?.url,
    REENACT_FORWARD_VIEW: "full",
    REENACT_EXIT_MS: "60000",
  };
  const cwd = fileURLToPath(new URL("../..", import.meta.url));
  const options = { cwd, env, timeoutMs: 120_000 };
  ended = await launch([process.execPath, "--import", "@reenact/node/register", AGENT], options);
  // what lies there before anything is sealed
  places.push(...filesBelow(store.folder));
  const away = { ...env, REENACT_FORWARD: undefined };
  const say = async (...args: string[]): Promise<string> => {
    const command = [process.execPath, bin, ...args, "--store", store.folder];
    const said = await launch(command, { cwd, env: { ...away, REENACT_STORE: undefined } });
    places.push(output(`${args.join(" ")}: stdout`, said.stdout), output(`${args.join(" ")}: stderr`, said.stderr));
    return said.stdout;
  };
  const list = (JSON.parse(await say("ls", "--json", "--limit", "999")) as { runs: { run: string; steps: number }[] })
    .runs;
  const main = list.toSorted((a, b) => b.steps - a.steps)[0]?.run as string;
  const last = list.find(({ run }) => run !== main)?.run as string;
  for (const more of [[], ["--json"], ["--raw"]]) await say("show", main, ...more);
  await say("show", last, "--json");
  exported = await say("export", main, "--json");
  const replayed = await store.replay(main, [process.execPath, AGENT], { ...options, env: away });
  places.push(output("replay: report", JSON.stringify(replayed.report)));
  calls = replayed.report.calls;
  runs = replayed.report.runs;
  places.push(...filesBelow(store.folder));
  for (const wire of wires) places.push(...wire.places());
  await provider.stop();
}, 300_000);

afterAll(async () => {
  rmSync(planFile, { force: true });
  store.remove();
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
