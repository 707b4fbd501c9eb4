import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReplayReport } from "@reenact/replay";
import type { Canary } from "../redaction-proof/canary.ts";
import { drawing } from "../redaction-proof/canary.ts";
import { startCanaryProvider } from "../redaction-proof/canary-provider.ts";
import { canariesOf, drawValues, programs, sourceOf, type Values } from "../redaction-proof/changed-programs.ts";
import { filesBelow, output, type Place, strays } from "../redaction-proof/places.ts";
import { bin, launch, Store } from "./reenact.ts";

const NODE = pathToFileURL(join(import.meta.dirname, "../../packages/node/dist/index.js")).href;
const SEED = Number(process.env["CANARY_SEED"] ?? process.env["TEST_SEED"] ?? Math.floor(Math.random() * 2 ** 31));
const draw = drawing(SEED);
const cwd = mkdtempSync(join(tmpdir(), "reenact-changed-"));
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
    const replay = readdirSync(join(store.folder, "runs")).find((file) => !file.startsWith(run)) ?? run;
    places.push(
      await say("show", replay.replace(".reenact", "")),
      await say("show", replay.replace(".reenact", ""), "--redactions"),
    );
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

function found({ canaries, places }: Trial): string[] {
  return strays(canaries, places).map(
    ({ carrier, place, around }) => `${carrier} in ${place.split("/").at(-1)}: ${around.replace(/[^\x20-\x7e]/g, ".")}`,
  );
}

/** Bodies of tools do not run, and answers of people are served: these values are not compared. */
const SERVED = /^(?:tool: (?:result|error|yields)|input: answer)$/;

describe("what a changed program now uses is nowhere in its replay", { timeout: 120_000 }, () => {
  test.concurrent.each(Object.keys(programs))("%s", async (name) => {
    const trial = await changed(name);
    if (!SERVED.test(name)) expect(trial.report.verdict).toBe("diverged");
    expect(found(trial), `CANARY_SEED=${SEED}`).toEqual([]);
  });
});
