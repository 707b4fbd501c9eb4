import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { bodies, fixturesOf, tryProgram } from "./hooked-program.ts";
import { Store } from "./reenact.ts";

const store = new Store();
afterAll(() => store.remove());
const name = "frameworks/openai-agents";

test.each(["program.mjs", "program.cjs"])(
  "tools, agents as tools and hand-offs of OpenAI Agents: %s",
  async (program) => {
    const { recorded, tools } = await tryProgram(store, name, join(fixturesOf(name), program));
    const parallel = [
      ["weather", { city: "weather-0" }],
      ["broken", { city: "broken-1" }],
      ["weather", { city: "weather-2" }],
    ];
    expect(tools.map((tool) => [tool.name, ...tool.args])).toEqual([
      ...parallel,
      ["translate", expect.objectContaining({ input: "Guten Tag" })],
      ["both", { city: "Oslo" }],
      ["transfer_to_Refunds", "{}"],
      ["weather", { city: "Rome" }],
      ["transfer_to_Billing", '{"city":"transfer_to_Billing-0"}'],
      ...parallel,
    ]);
    expect(tools.every(({ asked }) => asked)).toBe(true);
    // neither an agent nor a hand-off without a function of the user has a body that says so
    expect(bodies(recorded)).toBe(tools.length - 2);
    expect(tools[0]).toHaveProperty("result", expect.stringMatching(/^sunny in weather-0 for Dana \d+$/));
    expect(tools[1]).toHaveProperty("error", expect.stringMatching(/^TypeError: no broken-1 \d+$/));
    expect(tools[5]).toHaveProperty("result", "Refunds");
  },
);
