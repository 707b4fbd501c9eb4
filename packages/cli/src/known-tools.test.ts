import { fileURLToPath } from "node:url";
import { loadTape, type Tape } from "@reenact/replay";
import { expect, test } from "vitest";
import { refuseUnknownTools } from "./known-tools.ts";

const golden = loadTape(
  fileURLToPath(new URL("../../../test/fixtures/envelopes/v1-parallel-calls.reenact", import.meta.url)),
);
const [first, second] = golden.ordered;
/** a step() with a tool in it */
const tape: Tape = {
  ...golden,
  ordered: [
    { ...first!, kind: "STEP", name: "load" },
    { ...second!, kind: "TOOL", name: "look" },
  ],
  composite: new Set([first!.index]),
};
const asked = (runTool: string[], serve: string[]) => () => refuseUnknownTools(tape, { runTool, serve });

test("tools of the run may be run or served, and what has inner steps served", () => {
  expect(asked(["look"], ["look", "load"])).not.toThrow();
  expect(asked(["look", "lock"], [])).toThrow("--run-tool lock: the run has no such tool");
  expect(asked(["load"], [])).toThrow("--run-tool load");
  expect(asked([], ["loud"])).toThrow("--serve loud");
  expect(() => refuseUnknownTools(golden, { runTool: ["look"], serve: [] })).toThrow("--run-tool look");
});
