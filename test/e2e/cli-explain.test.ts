import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { ownBench } from "./own-bench.ts";

const bench = ownBench();
const program = join(import.meta.dirname, "../programs/refund-desk.mjs");
let run = "";

beforeAll(async () => {
  const env = { PROVIDER_URL: bench.provider.url };
  const { summary } = await bench.store.run([process.execPath, program], { env });
  run = summary.run ?? "";
});

test("each value of a tool's arguments is explained by what the program had, or by nothing", async () => {
  const { stdout } = await bench.store.command("explain", run);
  expect(stdout).toContain("step 2  TOOL refund  called by the program\n");
  expect(stdout).toMatch(
    /\/order {2}"A-17" {2}← input of the run: “.*Please refund A-17\..*; also model output of step 1 chat/,
  );
  expect(stdout).toMatch(/\/amount {2}90 {2}← no earlier step holds it: the program has it or computed it\n/);
  expect(stdout).toMatch(/\nNext: reenact show [0-9a-f]{6,}.* --step 2\n$/);
});

test("as data, for one step", async () => {
  const { stdout } = await bench.store.command("explain", run, "2", "--json");
  const { schemaVersion, calls, more } = JSON.parse(stdout) as Record<string, unknown>;
  expect({ schemaVersion, calls, more }).toMatchObject({
    schemaVersion: 1,
    more: 0,
    calls: [
      {
        step: 2,
        name: "refund",
        askedBy: null,
        values: [
          {
            pointer: "/order",
            value: "A-17",
            by: "program",
            sources: [{ kind: "input of the run" }, { kind: "model output", step: 1 }],
          },
          { pointer: "/amount", value: 90, by: "program", sources: [] },
        ],
      },
    ],
  });
});

test("a step that is not there, and a word for a step, are refused with the next command", async () => {
  const unknown = await bench.store.command("explain", run, "40");
  expect(unknown).toMatchObject({ code: 3, stdout: "" });
  expect(unknown.stderr).toMatch(/has no step 40; it has 3\. Next: reenact show \S+ \[REEN-NO-STEP\]\n$/);
  const word = await bench.store.command("explain", run, "last");
  expect(word).toMatchObject({ code: 3 });
  expect(word.stderr).toContain("Steps are counted from 1.");
});
