import { before, controls, cut, edits, type Suite } from "../edit.ts";
import { everyTurn, fieldEdits, inSummary } from "./chat-loop-fields.ts";

export const chatLoop: Suite = {
  program: "chat-loop.mjs",
  edits: [
    ...fieldEdits,
    ...edits(
      "user message",
      ["last question changed", 1, "changed", ["it is a duplicate", "it is a mistake"]],
      ["another number in it", 1, "changed", ["Please cancel A-1002", "Please cancel A-1003"]],
      ["case of a letter", 1, "changed", ["Please cancel", "please cancel"]],
      [
        "message of the summary",
        7,
        "changed",
        [`content: messages.at(-1).content }`, "content: `Said: ${messages.at(-1).content}` }"],
      ],
      [
        "a name is added to the message",
        1,
        "changed",
        [`{ role: "user", content: "Please`, `{ role: "user", name: "jo", content: "Please`],
      ],
    ),
    ...edits(
      "history",
      ["an older question changed", 1, "history", ["Where is order A-1001?", "Where is order A-1000?"]],
      ["an older answer changed", 1, "history", ["It is on its way.", "It is in transit."]],
      ["an older answer removed", 1, "history", cut(`  { role: "assistant", content: "It is on its way." },\n`)],
      [
        "history truncated",
        4,
        ["history", "changed"],
        before("  const completion", "  if (turn === 1) messages.splice(1, 2);\n"),
      ],
      [
        "tool results swapped",
        4,
        ["history", "changed"],
        before("  const completion", "  if (turn === 1) messages.push(messages.splice(-2, 1)[0]);\n"),
      ],
      [
        "a tool result shortened",
        4,
        ["changed", "history"],
        ["content: JSON.stringify(result)", "content: JSON.stringify(result).slice(0, 20)"],
      ],
      [
        "an answer without its refusal field",
        4,
        ["history", "changed"],
        ["messages.push(message)", "messages.push({ role: message.role, tool_calls: message.tool_calls })"],
      ],
      [
        "a hint before the last turn",
        6,
        "changed",
        before("  const completion", `  if (turn === 2) messages.push({ role: "user", content: "Be brief." });\n`),
      ],
    ),
    ...edits(
      "ids",
      [
        "ids of two calls swapped",
        4,
        ["changed", "history"],
        ["tool_call_id: call.id", "tool_call_id: message.tool_calls.at(-1 - message.tool_calls.indexOf(call)).id"],
      ],
      [
        "an id of its own",
        4,
        ["changed", "history"],
        ["tool_call_id: call.id", "tool_call_id: `call_${call.id.length}`"],
      ],
      ["an id in the tool's argument", 8, "changed", [`to: "desk"`, "to: summary.id"]],
      [
        "an id in a field",
        7,
        "params",
        inSummary("prompt_cache_key: messages.at(-1).tool_call_id ?? messages[4].tool_calls[0].id"),
      ],
    ),
    ...edits(
      "headers",
      [
        "a header of the client",
        1,
        "params",
        ["new OpenAI()", `new OpenAI({ defaultHeaders: { "x-team": "orders" } })`],
      ],
      ["an organization", 1, "params", ["new OpenAI()", `new OpenAI({ organization: "org-orders" })`]],
      ["a project", 1, "params", ["new OpenAI()", `new OpenAI({ project: "proj_orders" })`]],
      ["another key", 1, "params", ["new OpenAI()", `new OpenAI({ apiKey: "sk-other-key-of-another-account-1234" })`]],
      ["a header of one call", 7, "params", [`},\n  ],\n});`, `},\n  ],\n}, { headers: { "x-cost-centre": "7" } });`]],
    ),
    ...edits(
      "URL",
      [
        "a query",
        1,
        ["params", "changed"],
        ["new OpenAI()", `new OpenAI({ defaultQuery: { "api-version": "2025-01-01" } })`],
      ],
      [
        "another path",
        1,
        ["params", "changed", "extra", "missing"],
        ["new OpenAI()", "new OpenAI({ baseURL: process.env.OPENAI_BASE_URL.replace('/v1', '/v2') })"],
      ],
    ),
    ...edits(
      "tool calls",
      [
        "another argument in a loop",
        2,
        "changed",
        [
          "const args = JSON.parse(call.function.arguments);",
          "const args = { ...JSON.parse(call.function.arguments), fast: true };",
        ],
      ],
      ["another argument of the last tool", 8, "changed", [`to: "desk"`, `to: "boss"`]],
      [
        "argument of the second call only",
        3,
        "changed",
        ["const result =", `if (args.number === "A-1002" && turn === 0) args.number = "A-1003";\n    const result =`],
      ],
      ["another tool", 8, "wrong-tool", ["tools.notify({ to", "tools.cancel_order({ to"]],
      [
        "a tool twice",
        3,
        ["changed", "extra"],
        ["const result =", "if (turn === 0) await tools[call.function.name](args);\n    const result ="],
      ],
      ["a tool renamed", 8, "wrong-tool", [`tool("notify"`, `tool("tell"`]],
      [
        "the last tool never",
        8,
        "missing",
        [
          `await tools.notify({ to: "desk", text: summary.choices[0].message.content })`,
          "summary.choices[0].message.content",
        ],
      ],
      [
        "tools in another order",
        [2, 3],
        ["reordered", "changed"],
        ["const call of message.tool_calls", "const call of message.tool_calls.toReversed()"],
      ],
      [
        "tools all at once",
        [2, 3, 4, null],
        ["reordered", "changed", "order", "history"],
        [
          '    const result = await tools[call.function.name](args);\n    messages.push({ role: "tool", tool_call_id: call.id, content: JSON.stringify(result) });\n  }',
          '    const index = messages.push({ role: "tool", tool_call_id: call.id }) - 1;\n    void tools[call.function.name](args).then((result) => (messages[index].content = JSON.stringify(result)));\n  }\n  await null;',
        ],
      ],
      [
        "only the first tool of an answer",
        3,
        ["missing", "changed", "reordered"],
        ["const call of message.tool_calls", "const call of message.tool_calls.slice(0, 1)"],
      ],
    ),
    ...edits(
      "calls added, removed, moved",
      [
        "the summary never",
        7,
        ["missing"],
        [
          `const summary = await client.chat.completions.create({`,
          `const summary = { choices: [messages.at(-1) && { message: messages.at(-1) }] };\nvoid ({`,
        ],
      ],
      ["the loop ends early", 4, ["missing", "changed", "wrong-tool"], ["turn < 6", "turn < 1"]],
      ["the loop ends one turn early", 6, ["missing", "changed"], ["turn < 6", "turn < 2"]],
    ),
    ...edits(
      "control flow",
      [
        "a tool is skipped by its number",
        2,
        ["missing", "changed", "reordered"],
        [
          "for (const call of message.tool_calls) {",
          'for (const call of message.tool_calls) {\n    if (call.function.arguments.includes("A-1001")) continue;',
        ],
      ],
      [
        "the answer ends the loop at its finish reason",
        2,
        ["missing", "changed", "reordered"],
        ["if (!message.tool_calls) break;", "if (turn === 0) break;"],
      ],
      [
        "an order is not looked up again",
        3,
        ["missing", "changed", "wrong-tool"],
        ["const result =", "if (turn === 0 && call !== message.tool_calls[0]) continue;\n    const result ="],
      ],
    ),
    ...edits(
      "standard output",
      [
        "another word",
        null,
        "output-changed",
        ["console.log(await tools.notify", "console.log('sent:', await tools.notify"],
      ],
      [
        "nothing",
        null,
        "output-changed",
        [
          'console.log(await tools.notify({ to: "desk", text: summary.choices[0].message.content }))',
          'await tools.notify({ to: "desk", text: summary.choices[0].message.content })',
        ],
      ],
      ["progress of each turn", null, "output-changed", before("  const completion", "  console.log(turn);\n")],
    ),
  ],
  controls: controls(
    [
      "order of keys in the request",
      [
        "    temperature: 0.2,\n    max_tokens: 400,\n    seed: 7,\n",
        "    seed: 7,\n    max_tokens: 400,\n    temperature: 0.2,\n",
      ],
    ],
    [
      "order of keys in a schema",
      [
        `properties: { number, reason: { type: "string" } }, required: ["number"]`,
        `required: ["number"], properties: { reason: { type: "string" }, number }`,
      ],
    ],
    [
      "order of keys in a tool's argument",
      [
        `{ to: "desk", text: summary.choices[0].message.content }`,
        `{ text: summary.choices[0].message.content, to: "desk" }`,
      ],
    ],
    ["comments", before("for (let turn", "// turns\n/* of the model */\n")],
    [
      "white space",
      [`  const { message } = completion.choices[0];\n`, `\n\n      const {   message }\n=completion.choices[0] ;\n\n`],
    ],
    ["a renamed local", ["const args = JSON.parse", "const given = JSON.parse"], ["](args);", "](given);"]],
    [
      "a refactoring into a function",
      [
        "const completion = await client.chat.completions.create({",
        "const create = (request) => client.chat.completions.create(request);\n  const completion = await create({",
      ],
    ],
    ["a field that is undefined", everyTurn("top_p: undefined")],
    ["a number written otherwise", ["temperature: 0.2", "temperature: 2e-1"]],
    ["texts in other quotes", [`"You are the order desk of a shop."`, "`You are the order desk of a ${'shop'}.`"]],
    ["other arguments", { args: ["--fast", "x"] }],
    ["another environment", { env: { LANG: "de_DE.UTF-8", EDITOR: "vi", DEBUG_LEVEL: "3" } }],
    ["another home", { env: { HOME: "/tmp" } }],
    ["another time zone of the caller", { env: { TZ: "Asia/Tokyo" } }],
    ["another key of the caller", { env: { OPENAI_API_KEY: "sk-of-a-colleague-98765432109876543210" } }],
    ["another folder", { cwd: "elsewhere" }],
    ["source maps", { env: { NODE_OPTIONS: "--enable-source-maps" } }],
    ["openai 7.55.0", { release: { name: "openai", version: "7.55.0" } }],
    ["openai 7.48.0", { release: { name: "openai", version: "7.48.0" } }],
    ["an unused import", before(`import OpenAI`, `import { join as _join } from "node:path";\n`)],
    ["a loop written otherwise", ["turn < 6", "turn <= 5"]],
    [
      "the header that the SDK sets, set by hand",
      ["new OpenAI()", `new OpenAI({ defaultHeaders: { "content-type": "application/json" } })`],
    ],
  ),
};
