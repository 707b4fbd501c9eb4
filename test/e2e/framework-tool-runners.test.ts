import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bodies, fixturesOf, tryProgram } from "./hooked-program.ts";
import { Store } from "./reenact.ts";

const store = new Store();
afterAll(() => store.remove());
const programs = ["program.mjs", "program.cjs"];

test.each(programs)("tools of OpenAI's runTools are recorded by name, and served: %s", async (program) => {
  const name = "frameworks/openai-run-tools";
  const { recorded, tools } = await tryProgram(store, name, join(fixturesOf(name), program));
  // a tool without `parse` starts before the others
  const parallel = [
    ["named", '{"city":"named-3"}'],
    ["weather", { city: "weather-0" }],
    ["both", { city: "both-1" }],
    ["weather", { city: "weather-2" }],
    ["typed", { city: "typed-4" }],
  ];
  expect(tools.map((tool) => [tool.name, ...tool.args])).toEqual([
    ...parallel,
    ...parallel.slice(0, -1),
    ["broken", { city: "broken-0" }],
  ]);
  expect(tools.every(({ asked }) => asked)).toBe(true);
  expect(bodies(recorded)).toBe(tools.length);
  expect(tools[4]).toHaveProperty("result", { typed: expect.stringMatching(/^typed-4 \d+$/) });
  expect(tools[9]).toHaveProperty("error", expect.stringMatching(/^TypeError: no broken-0 \d+$/));
});

test.each(programs)("tools of Anthropic's tool runner are recorded by name, and served: %s", async (program) => {
  const name = "frameworks/anthropic-tool-runner";
  const { recorded, tools } = await tryProgram(store, name, join(fixturesOf(name), program));
  const calls = ["weather", "both", "broken", "weather", "refused"].map((tool, n) => [tool, { city: `${tool}-${n}` }]);
  expect(tools.map((tool) => [tool.name, ...tool.args])).toEqual([...calls, ...calls]);
  expect(tools.every(({ asked }) => asked)).toBe(true);
  expect(bodies(recorded)).toBe(tools.length);
  expect(tools[2]).toHaveProperty("error", expect.stringMatching(/^TypeError: no broken-2 \d+$/));
  expect(tools[4]).toHaveProperty("error", expect.stringMatching(/^ToolError: refused refused-4 \d+$/));
});

test.each(programs)("tools of LlamaIndex's agents are recorded by name, and served: %s", async (program) => {
  const name = "frameworks/llamaindex-tools";
  const { recorded, tools } = await tryProgram(store, name, join(fixturesOf(name), program));
  expect(tools.map((tool) => [tool.name, ...tool.args])).toEqual([
    ["weather", { city: "weather-0" }],
    ["both", { city: "both-1" }],
    ["weather", { city: "weather-2" }],
    ["typed", { city: "typed-3" }],
    ["broken", { city: "broken-0" }],
    ["handOff", { toAgent: "last", reason: "so" }],
    ["weather", { city: "weather-1" }],
  ]);
  expect(tools.every(({ asked }) => asked)).toBe(true);
  // the hand-over is LlamaIndex's own
  expect(bodies(recorded)).toBe(tools.length - 1);
  expect(tools[3]).toHaveProperty("result", { typed: expect.stringMatching(/^typed-3 \d+$/) });
  expect(tools[4]).toHaveProperty("error", expect.stringMatching(/^TypeError: no broken-0 \d+$/));
});
