import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bodies, fixturesOf, tryProgram } from "./hooked-program.ts";
import { Store } from "./reenact.ts";

const store = new Store();
afterAll(() => store.remove());

const fixtures = fixturesOf("frameworks/ai-sdk");

test.each([
  [7, [join(fixtures, "program.mjs")]],
  [6, [join(import.meta.dirname, "../older-frameworks/ai-sdk.cjs"), join(fixtures, "agent.mjs")]],
])("tools of the AI SDK %i are recorded by name, and served", async (_, program) => {
  const { recorded, tools } = await tryProgram(store, "frameworks/ai-sdk", ...program);
  expect(tools.map(({ name, args }) => [name, ...args])).toEqual([
    ["weather", { city: "weather-0" }],
    ["broken", { city: "broken-1" }],
    ["weather", { city: "weather-2" }],
    ["hike", { city: "hike-0" }],
    ["river", { city: "river-1" }],
    ["both", { city: "both-0" }],
    ["weather", { city: "weather-0" }],
    ["broken", { city: "broken-1" }],
    ["weather", { city: "weather-2" }],
    ["slow", { city: "slow-0" }],
  ]);
  expect(tools.every(({ asked }) => asked)).toBe(true);
  expect(bodies(recorded)).toBe(tools.length);
  const text = expect.stringMatching(/^\S.* \d{9,}$/);
  expect(tools[0]).toHaveProperty("result", expect.stringMatching(/^sunny in weather-0 string \d+$/));
  expect(tools[1]).toHaveProperty("error", expect.stringMatching(/^TypeError: no broken-1 \d+$/));
  expect(tools[3]).toHaveProperty("result", [text, "at the top of hike-0"]);
  expect(tools[4]).toHaveProperty("result", [text, "end"]);
});
