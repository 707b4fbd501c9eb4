import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { after, before, controls, cut, edits, type Suite } from "../edit.ts";

const folderOf = (name: string): string => fileURLToPath(new URL(`../../../examples/${name}`, import.meta.url));
const refund = folderOf("refund-agent");
const { seed } = (await import(pathToFileURL(join(refund, "seed.mjs")).href)) as { seed: (file: string) => void };
const loop = folderOf("hand-written-loop");

/** steps: 1 stream · 2, 3 get_order · 4 refused, 5 its retry · 6 check_carrier · 7 stream · 8 delete_order · 9 stream · 10 get_order */
export const refundAgent: Suite = {
  program: "agent.mjs",
  folder: refund,
  name: "refund-agent",
  files: { "tools.json": readFileSync(join(refund, "tools.json"), "utf8") },
  prepare: (folder) => seed(join(folder, "refunds.db")),
  edits: [
    ...edits(
      "model",
      ["another default", 1, "params", ["gpt-4.1-mini", "gpt-4.1"]],
      [
        "by a variable of the caller",
        1,
        "params",
        { env: { REFUND_MODEL: "gpt-4.1" }, flags: ["--env", "REFUND_MODEL"] },
      ],
    ),
    ...edits(
      "system prompt",
      ["a sentence more", 1, "system", ["  // tone\n", `  "Be kind.",\n`]],
      ["a word", 1, "system", ["cancel the duplicate", "keep the duplicate"]],
    ),
    ...edits("user message", ["a number", 1, "changed", ["A-1001 arrived", "A-1003 arrived"]]),
    ...edits(
      "tools offered",
      ["a tool less", 1, ["changed", "params"], ["tools: offered", "tools: offered.slice(1)"]],
      ["order", 1, ["changed", "params"], ["tools: offered", "tools: offered.toReversed()"]],
      ["a description", 1, ["changed", "params"], { file: "tools.json" }, [`"Looks an order up`, `"Looks up an order`]],
    ),
    ...edits(
      "tool calls",
      [
        "a guard around a tool",
        8,
        "missing",
        [
          "    const result = await tools[name](JSON.parse(call.function.arguments));",
          '    if (name === "delete_order") throw new GuardError("ask a person");\n    const result = await tools[name](JSON.parse(call.function.arguments));',
        ],
      ],
      [
        "another row",
        8,
        "changed",
        [
          "const result = await tools[name](JSON.parse(call.function.arguments));",
          "const args = JSON.parse(call.function.arguments);\n    if (args.row) args.row = 42;\n    const result = await tools[name](args);",
        ],
      ],
      [
        "another order at the end",
        10,
        "changed",
        [`get_order({ number: "A-1001" })`, `get_order({ number: "A-1002" })`],
      ],
      [
        "none at the end",
        10,
        "missing",
        [`await tools.get_order({ number: "A-1001" })`, '{ toString: () => "no order A-1001" }'],
      ],
      [
        "one after the other",
        [2, 3],
        ["reordered", "missing", "order", "unfinished"],
        [
          "  for (const { call, content } of await Promise.all(calls.map(run))) {",
          "  const done = [];\n  for (const call of calls) done.push(await run(call));\n  for (const { call, content } of done) {",
        ],
      ],
    ),
    ...edits("error handling", [
      "an error is told otherwise",
      7,
      "changed",
      ["content: `${error.name}: ${error.message}`", "content: `Error: ${error.message}`"],
    ]),
    ...edits("control flow", ["fewer turns", [7, 8, 9], "missing", ["turn < 10", "turn < 2"]]),
    ...edits(
      "standard output",
      [
        "a word",
        null,
        "output-changed",
        ["`Ticket ${ticket}, opened ${opened}`);", "`Case ${ticket}, opened ${opened}`);"],
      ],
      [
        "a call is printed otherwise",
        null,
        "output-changed",
        ["  > ${call.function.name}", "  >> ${call.function.name}"],
      ],
    ),
    ...edits("standard error", ["a word", null, "stderr-changed", ["Check of", "The check of"]]),
    ...edits("exit", ["another code", null, "exit-code-changed", ["process.exitCode = 1", "process.exitCode = 2"]]),
    ...edits("history", [
      "contents left out",
      4,
      ["changed", "history"],
      ['{ role: "assistant", content, tool_calls: calls }', '{ role: "assistant", tool_calls: calls }'],
    ]),
    ...edits(
      "clock and random numbers",
      [
        "a ticket of another kind",
        [1, null],
        ["changed", "draw"],
        ["randomUUID().slice(0, 8)", "String(Math.random()).slice(2, 10)"],
      ],
      ["a longer ticket", 1, "changed", ["randomUUID().slice(0, 8)", "randomUUID().slice(0, 9)"]],
    ),
  ],
  controls: controls(
    [
      "a guard in a tool that is served",
      ["    // guard: none yet, the row is trusted\n", '    if (row === 41) throw new GuardError("not this one");\n'],
    ],
    ["comments", ["  // tone\n", "  // tone: kind\n"]],

    [
      "white space in a file",
      { file: "tools.json" },
      [
        `"type": "function",\n    "function": {\n      "name": "get_order"`,
        `"type":"function","function": {\n      "name": "get_order"`,
      ],
    ],
    ["a while loop", ["for (let turn = 0; turn < 10; turn += 1) {", "let turn = -1;\nwhile ((turn += 1) < 10) {"]],
  ),
};

/** steps: 1 model · 2, 3 the service · 4 model. The tool is in no tool(): its body runs. */
export const weatherLoop: Suite = {
  program: "agent.mjs",
  folder: loop,
  name: "weather-loop",
  files: { "loop.mjs": readFileSync(join(loop, "loop.mjs"), "utf8") },
  edits: [
    ...edits(
      "tool calls",
      ["another service", 2, ["changed", "missing", "extra"], ["/today?city=", "/tomorrow?city="]],
      ["another field", 2, "changed", ["?city=", "?town="]],
      ["a unit more", 2, "changed", ["${encodeURIComponent(city)}`", "${encodeURIComponent(city)}&unit=f`"]],
      ["cities in capitals", 2, "changed", ["encodeURIComponent(city)", "encodeURIComponent(city.toUpperCase())"]],
      ["the result in other words", [4, null], ["changed", "output-changed"], ["${degrees} degrees`", "${degrees}°`"]],
      [
        "one city only",
        3,
        ["missing"],
        ["run: async ({ city }) => {", 'run: async ({ city }) => {\n    if (city === "Lisbon") return "no weather";'],
      ],
      [
        "asked twice",
        [2, 3, 4],
        ["extra", "changed"],
        [
          "    const { sky, degrees } = await response.json();",
          "    await fetch(response.url).catch(() => {});\n    const { sky, degrees } = await response.json();",
        ],
      ],
      [
        "one after the other",
        [3, 2],
        ["reordered", "missing", "order", "unfinished"],
        { file: "loop.mjs" },
        [
          "const results = await Promise.all(calls.map((call) => run(tools, call)));",
          "const results = [];\n    for (const call of calls) results.push(await run(tools, call));",
        ],
      ],
    ),
    ...edits("system prompt", ["a word", 1, "system", ["You plan picnics.", "You plan walks."]]),
    ...edits("user message", ["the question", 1, "changed", ["Oslo or Lisbon today?", "Oslo or Rome today?"]]),
    ...edits("tools offered", ["a schema", 1, ["changed", "params"], [`required: ["city"]`, "required: []"]]),
    ...edits("parameters", [
      "a temperature",
      1,
      "params",
      { file: "loop.mjs" },
      [", messages, tools: offered };", ", messages, tools: offered, temperature: 0 };"],
    ]),
    ...edits("history", [
      "results exchanged",
      4,
      ["changed", "history"],
      { file: "loop.mjs" },
      ["content: results[at] }", "content: results.at(-1 - at) }"],
    ]),
    ...edits(
      "standard output",
      ["nothing printed", null, "output-changed", cut("console.log(answer);\n")],
      ["a line of the tool", null, "output-changed", { file: "loop.mjs" }, ["console.log(`> ${", "console.log(`- ${"]],
    ),
    ...edits("calls added, removed, moved", [
      "a question more",
      5,
      "extra",
      after("console.log(answer);\n", "await fetch(`${process.env.WEATHER_URL}/today?city=Bern`).catch(() => {});\n"),
    ]),
  ],
  controls: controls(
    [
      "a helper in the tool",
      before(
        "const weather",
        "const address = (city) => `${process.env.WEATHER_URL}/today?city=${encodeURIComponent(city)}`;\n",
      ),
      [
        "await fetch(`${process.env.WEATHER_URL}/today?city=${encodeURIComponent(city)}`)",
        "await fetch(address(city))",
      ],
    ],
    [
      "order of keys",
      { file: "loop.mjs" },
      [
        '{ role: "tool", tool_call_id: call.id, content: results[at] }',
        '{ content: results[at], role: "tool", tool_call_id: call.id }',
      ],
    ],
  ),
};
