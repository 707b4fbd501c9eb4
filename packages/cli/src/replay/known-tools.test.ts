import { fileURLToPath } from "node:url";
import { loadTape, type Tape } from "@reenact/replay";
import { expect, test } from "vitest";
import { refuseUnknownTools } from "./known-tools.ts";

const golden = loadTape(
  fileURLToPath(new URL("../../../../test/fixtures/envelopes/v1-parallel-calls.reenact", import.meta.url)),
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

test("tools and steps of the run may be run or served", () => {
  expect(asked(["look", "load"], ["look", "load"])).not.toThrow();
  expect(asked(["look", "lock"], [])).toThrow("--run-tool lock: the run has no such tool or step");
  expect(asked([], ["loud"])).toThrow("--serve loud");
  expect(() => refuseUnknownTools(golden, { runTool: ["look"], serve: [] })).toThrow("--run-tool look");
});
