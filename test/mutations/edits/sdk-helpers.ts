import { after, before, controls, cut, edits, type Suite } from "../edit.ts";

/** Steps: 1 parsed · 2 runTools · 3 weather · 4 runTools · 5 stream · 6 aborted stream · 7 raw response · 8 store. */
export const sdkHelpers: Suite = {
  program: "sdk-helpers.mjs",
  edits: [
    ...edits(
      "parameters",
      ["a bound in a schema", 1, ["params", "changed"], [".max(200)", ".max(100)"]],
      [
        "a field of a schema more",
        1,
        ["params", "changed"],
        ["good: z.boolean(), why", "sure: z.boolean(), good: z.boolean(), why"],
      ],
      ["a description in a schema", 1, ["params", "changed"], ["z.boolean(),", `z.boolean().describe("yes or no"),`]],
      ["name of a schema", 1, ["params", "changed"], [`"verdict")`, `"judgement")`]],
      ["no schema", 1, ["params", "changed"], cut(`    response_format: zodResponseFormat(Verdict, "verdict"),\n`)],
      [
        "choices of tools",
        2,
        "params",
        [
          `  tools: [\n    {\n      type: "function",`,
          `  tool_choice: "required",\n  tools: [\n    {\n      type: "function",`,
        ],
      ],
    ),
    ...edits(
      "tools offered",
      [
        "a description of a tool that the SDK runs",
        2,
        ["changed", "params"],
        ["The weather of a city.", "The weather of a town."],
      ],
      [
        "a property of a tool that the SDK runs",
        2,
        ["changed", "params"],
        [`city: { type: "string" } }`, `city: { type: "string" }, day: { type: "string" } }`],
      ],
    ),
    ...edits(
      "tool calls",
      [
        "the result's text",
        4,
        "changed",
        ["JSON.stringify(await weather(args))", "JSON.stringify(await weather(args), null, 1)"],
        { flags: ["--run-tool", "weather"] },
      ],
      [
        "parsed to something else",
        3,
        "changed",
        ["parse: JSON.parse", 'parse: (text) => ({ ...JSON.parse(text), unit: "C" })'],
      ],
      [
        "the body does not call",
        4,
        "changed",
        ["JSON.stringify(await weather(args))", "JSON.stringify(args)"],
        { flags: ["--run-tool", "weather"] },
      ],
      ["a key less", 8, "changed", ["store({ good, why, words", "store({ good, words"]],
      ["the id of another call", 8, "changed", ["id: data.id", "id: judged.id"]],
      [
        "a value that a parse gives",
        8,
        "changed",
        [
          "const { good, why } = judged.choices[0].message.parsed;",
          "const { why } = judged.choices[0].message.parsed;\nconst good = why.length;",
        ],
      ],
    ),
    ...edits(
      "URL",
      ["a version in the query of all", 1, ["params", "changed"], ["2026-01-01", "2026-02-01"]],
      [
        "a query of one call",
        7,
        ["params", "changed"],
        ["`Seen ${seen > 10}` }] })", '`Seen ${seen > 10}` }] }, { query: { trace: "1" } })'],
      ],
    ),
    ...edits(
      "headers",
      ["a team of the other SDK", 5, ["params", "changed"], [`"x-team": "desk"`, `"x-team": "night"`]],
      ["a header set to nothing", 5, ["params", "changed"], [`"x-team": "desk"`, `"x-team": null`]],
      [
        "a key for one call to be sent once",
        7,
        ["params", "changed"],
        ["`Seen ${seen > 10}` }] })", '`Seen ${seen > 10}` }] }, { headers: { "x-only-once": "8" } })'],
      ],
    ),
    ...edits(
      "results not waited for",
      ["aborted later", 6, ["unfinished", "order"], ["if (seen > 10) stop.abort()", "if (seen > 30) stop.abort()"]],
      ["aborted at once", [6], ["unfinished", "missing"], ["let seen = 0;", "let seen = 11;\nstop.abort();"]],
      ["never aborted", 6, ["unfinished", "order"], ["  if (seen > 10) stop.abort();\n", ""]],
      [
        "left in place of aborted, at once",
        [6, 7],
        ["unfinished", "changed"],
        ["  if (seen > 10) stop.abort();\n", "  break;\n"],
      ],
      [
        "the stream's end is not waited for",
        [5, 6],
        ["unfinished", "reordered"],
        ["await stream.done();", "stream.done();"],
      ],
      [
        "the runner is not waited for",
        [2, 5],
        ["changed", "reordered", "unfinished", "error"],
        ["const said = await runner.finalContent();", 'const said = "Over Bern";'],
      ],
    ),
    ...edits(
      "standard output",
      [
        "another event of the runner",
        null,
        "output-changed",
        [
          `runner.on("functionToolCall", ({ name }) => console.log(\`calls \${name}\`));`,
          `runner.on("functionToolCallResult", (text) => console.log(text));`,
        ],
      ],
      ["a status that is not printed", null, "output-changed", ["response.status, data", "data"]],
    ),
    ...edits("error handling", [
      "retries of one client off and a time-out",
      [2, 1, null],
      "delay-changed",
      ["maxRetries: 1, defaultQuery", "timeout: 1_000, maxRetries: 1, defaultQuery"],
    ]),
    ...edits(
      "calls added, removed, moved",
      [
        "a second run of tools",
        [5, null, 4],
        ["extra", "changed"],
        after(
          "const said = await runner.finalContent();\n",
          'await openai.chat.completions.create({ model: "gpt-4.1-mini", messages: [...runner.messages, { role: "user", content: "Sure?" }] });\n',
        ),
      ],
      [
        "a runner without its second turn",
        5,
        "changed",
        ["runner.finalContent()", "runner.finalFunctionToolCallResult()"],
      ],
      [
        "the parse as a plain call",
        [1, 8],
        ["params", "changed"],
        [
          `messages: [{ role: "user", content: "[verdict] Is grey good?" }]`,
          `temperature: 0, messages: [{ role: "user", content: "[verdict] Is grey good?" }]`,
        ],
      ],
    ),
    ...edits(
      "user message",
      ["a rhyme on more letters", 5, "changed", [".slice(0, 8)", ".slice(0, 9)"]],
      [
        "a system prompt as a list",
        5,
        ["system"],
        [`system: "Answer in one line."`, `system: [{ type: "text", text: "Answer in one line, please." }]`],
      ],
    ),
  ],
  controls: controls(
    [
      "data without the response",
      [`console.log(response.status, data.choices.length);`, "console.log(response.status, [...data.choices].length);"],
    ],
    ["a schema written otherwise", ["z.string().max(200)", "z.string().check(z.maxLength(200))"]],
    ["a listener more", before("const said =", `runner.on("message", () => {});\n`)],
    [
      "a catch that does nothing",
      ["await stream.done();", "await stream.done().catch((error) => {\n  throw error;\n});"],
    ],
    ["a query written by a text", ['"api-version": "2026-01-01"', '"api-version": ["2026", "01", "01"].join("-")']],
    ["more retries of the other SDK", ["new Anthropic({ maxRetries: 1", "new Anthropic({ maxRetries: 4"]],
    ["the signal of a combined one", ["signal: stop.signal", "signal: AbortSignal.any([stop.signal])"]],
    ["a runner's messages read", before("const words = [];", "void runner.messages.length;\n")],
    ["a stream by its final message", ["await stream.done();", "await stream.finalMessage();"]],
    ["tools in a list of their own", ["parse: JSON.parse", "parse: (text) => JSON.parse(text)"]],
  ),
};
