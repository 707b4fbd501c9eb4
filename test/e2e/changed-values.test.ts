import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReplayReport } from "@reenact/replay";
import type { Canary } from "../redaction-proof/canary.ts";
import { drawing } from "../redaction-proof/canary.ts";
import { startCanaryProvider } from "../redaction-proof/canary-provider.ts";
import {
  agentNames,
  agentsSource,
  canariesOf,
  drawValues,
  programs,
  sourceOf,
  type Values,
} from "../redaction-proof/changed-programs.ts";
import { scale } from "../scale.ts";
import { filesBelow, output, type Place, strays } from "../redaction-proof/places.ts";
import { bin, launch, Store } from "./reenact.ts";

const built = (path: string): string => pathToFileURL(join(import.meta.dirname, "../../packages", path)).href;
const NODE = built("node/dist/index.js");
const SEED = Number(process.env["CANARY_SEED"] ?? process.env["TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const draw = drawing(SEED);
const cwd = mkdtempSync(join(tmpdir(), "reenact-changed-"));
/** All programs at full size, else every second one, by the seed. */
const half = Object.keys(programs).filter((_, n) => n % 2 === SEED % 2);
const chosen = scale(half, half, Object.keys(programs));
let provider: Awaited<ReturnType<typeof startCanaryProvider>>;

beforeAll(async () => {
  provider = await startCanaryProvider({});
});
afterAll(async () => {
  await provider.stop();
  rmSync(cwd, { recursive: true, force: true });
});

interface Trial {
  report: ReplayReport;
  canaries: Canary[];
  places: Place[];
}

/** Records a program, changes its values, replays it, and looks at all that the tools have printed and written since. */
async function changed(name: string): Promise<Trial> {
  const store = new Store();
  const folder = join(cwd, name.replaceAll(/\W+/g, "-"));
  mkdirSync(folder, { recursive: true });
  const options = { cwd: folder };
  const command = [process.execPath, "agent.mjs"];
  const program = (values: Values): void => {
    for (const made of readdirSync(folder)) rmSync(join(folder, made), { recursive: true });
    writeFileSync(join(folder, "agent.mjs"), sourceOf(name, values, { url: provider.url, library: NODE }));
  };
  const then = drawValues(draw);
  const now = drawValues(draw);
  try {
    program({ ...then, email: `then.${then.email}` });
    const { summary } = await store.run(command, options);
    const run = summary.run ?? "";
    const recorded = readdirSync(join(store.folder, "runs")).map((file) => file.replace(".reenact", ""));
    program(now);
    const own = prints(name) ? await launch(command, options) : { stdout: "", stderr: "" };
    program(now);
    const report = join(store.folder, "report.json");
    const say = async (...args: string[]): Promise<Place> => {
      const [verb = "", ...rest] = args;
      const { stdout, stderr } = await launch([process.execPath, bin, verb, "--store", store.folder, ...rest], options);
      // what the program itself prints is its own
      const lines = new Set(`${own.stdout}\n${own.stderr}`.split("\n").filter((line) => line.trim() !== ""));
      return output(
        args.join(" "),
        `${stdout}\n${stderr}`
          .split("\n")
          .filter((line) => !lines.has(line))
          .join("\n"),
      );
    };
    const places = [await say("replay", run, "--json-file", report, "--", ...command), await say("ls", "--replays")];
    const runs = JSON.parse(
      (await launch([process.execPath, bin, "ls", "--replays", "--json", "--store", store.folder])).stdout,
    ) as {
      runs: { run: string; kind?: string }[];
    };
    const replays = runs.runs.map((each) => each.run).filter((each) => !recorded.includes(each));
    expect(replays.length).toBeGreaterThan(0);
    for (const replay of replays.slice(0, 2)) {
      for (const more of [[], ["--redactions"], ["--raw"], ["--json"]]) places.push(await say("show", replay, ...more));
      places.push(await say("export", replay, "--json"));
      for (const ending of ["otlp", "reenact"])
        places.push(await say("export", replay, "-o", join(store.folder, `${replay}.${ending}`)));
    }
    for (const made of readdirSync(join(store.folder, "replays"))) {
      const copies = join(store.folder, "replays", made);
      expect(statSync(copies).mode & 0o777).toBe(0o700);
      // the program's own files
      rmSync(join(copies, "files"), { recursive: true, force: true });
    }
    places.push(...filesBelow(store.folder));
    return {
      report: JSON.parse(readFileSync(report, "utf8")) as ReplayReport,
      canaries: canariesOf(name, now),
      places,
    };
  } finally {
    store.remove();
  }
}

const prints = (name: string): boolean => /^(?:output|error)/.test(name);

function found({ canaries, places }: Omit<Trial, "report">): string[] {
  return strays(canaries, places).map(
    ({ carrier, place, around }) => `${carrier} in ${place.split("/").at(-1)}: ${around.replace(/[^\x20-\x7e]/g, ".")}`,
  );
}

/** Bodies of tools do not run, and answers of people are served: these values are not compared. */
const SERVED = /^(?:tool: (?:result|error|yields)|input: answer)$/;

test("what replay() returns holds no value that changed agents now use, but for their own output and error", async () => {
  const store = new Store();
  const folder = join(cwd, "in-process");
  mkdirSync(folder, { recursive: true });
  const context = {
    url: provider.url,
    library: NODE,
    replay: built("replay/dist/index.js"),
    envelope: built("envelope/dist/file.js"),
  };
  const then = drawValues(draw);
  const now = drawValues(draw);
  const options = { cwd: folder, env: { REENACT_STORE: store.folder } };
  try {
    writeFileSync(join(folder, "agents.mjs"), agentsSource({ ...then, email: `then.${then.email}` }, context));
    const { stderr, code } = await store.run([process.execPath, "agents.mjs", "record"], options);
    expect([code, stderr]).toEqual([0, ""]);
    writeFileSync(join(folder, "agents.mjs"), agentsSource(now, context));
    const command = [process.execPath, "agents.mjs", "replay", join(store.folder, "runs")];
    const told = await launch(command, options);
    expect(told.code).toBe(0);
    const lines = told.stdout.split("\n").filter((line) => line.startsWith('{"name":'));
    const replayed = lines.map((line) => JSON.parse(line) as { name: string; verdict: string });
    expect(replayed.map(({ name }) => name).toSorted()).toEqual(agentNames.toSorted());
    // an agent within an agent is a run of its own, which a replay of the outer one does not judge
    const judged = replayed.filter(({ name }) => !SERVED.test(name) && !/^agent: (?!name$)/.test(name));
    const same = judged.filter(({ verdict }) => verdict !== "diverged");
    expect(same.map(({ name, verdict }) => [name, verdict])).toEqual([]);
    const places = [output("replay()", told.stdout), output("its lines", told.stderr), ...filesBelow(store.folder)];
    const canaries = canariesOf("agents", now);
    expect(found({ canaries, places }), `CANARY_SEED=${SEED}`).toEqual([]);
  } finally {
    store.remove();
  }
}, 120_000);

describe("what a changed program now uses is nowhere in its replay", { timeout: 120_000 }, () => {
  test.concurrent.each(chosen)("%s", async (name) => {
    const trial = await changed(name);
    if (!SERVED.test(name)) expect(trial.report.verdict).toBe("diverged");
    expect(found(trial), `CANARY_SEED=${SEED}`).toEqual([]);
  });
});
