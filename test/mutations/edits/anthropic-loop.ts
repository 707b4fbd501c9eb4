import { added, after, before, type Change, controls, cut, edits, type Suite } from "../edit.ts";

const inAll = (field: string): Change => after("    temperature: 1,\n", `    ${field},\n`);
const inLast = (field: string): Change => after(`stop_sequences: ["STOP"]`, `, ${field}`);
const inSecond = (field: string): Change => ["const second = await ask();", `const second = await ask({ ${field} });`];

export const anthropicLoop: Suite = {
  program: "anthropic-loop.mjs",
  edits: [
    ...edits(
      "model",
      ["another one", 1, "params", ["claude-sonnet-4-5", "claude-opus-4-1"]],
      ["another one in the second call", 3, "params", inSecond(`model: "claude-haiku-4-5"`)],
    ),
    ...edits(
      "parameters",
      ["temperature", 1, "params", ["temperature: 1,", "temperature: 0.5,"]],
      ["max_tokens", 1, "params", ["max_tokens: 1024", "max_tokens: 1025"]],
      ["max_tokens of the last", 4, "params", ["max_tokens: 2048", "max_tokens: 4096"]],
      ["stop sequences", 4, "params", [`["STOP"]`, `["STOP", "END"]`]],
      ["stop sequences removed", 4, "params", [`, stop_sequences: ["STOP"]`, ""]],
      ["thinking budget", 1, "params", ["budget_tokens: 1024", "budget_tokens: 2048"]],
      ["thinking off", 1, "params", [`{ type: "enabled", budget_tokens: 1024 }`, `{ type: "disabled" }`]],
      ["thinking off in the last", 4, "params", inLast(`thinking: { type: "disabled" }`)],
    ),
    ...added(
      "parameters",
      "params",
      [
        "top_k: 5",
        "top_p: 0.7",
        `tool_choice: { type: "any" }`,
        `tool_choice: { type: "auto", disable_parallel_tool_use: true }`,
        `output_config: { effort: "low" }`,
      ],
      [
        [1, inAll],
        [3, inSecond],
        [4, inLast],
      ],
    ),
    ...edits(
      "bookkeeping fields",
      ["metadata", 1, "params", [`"reader-7"`, `"reader-8"`]],
      ["metadata removed", 1, "params", cut(`    metadata: { user_id: "reader-7" },\n`)],
      ["cache_control of a tool removed", 1, ["params", "changed"], cut(`    cache_control: { type: "ephemeral" },\n`)],
      [
        "cache_control of the system prompt removed",
        1,
        ["system", "params"],
        [`quiet.", cache_control: { type: "ephemeral" } }`, `quiet." }`],
      ],
      [
        "cache_control kept for an hour",
        1,
        ["system", "params"],
        [`quiet.", cache_control: { type: "ephemeral" }`, `quiet.", cache_control: { type: "ephemeral", ttl: "1h" }`],
      ],
      [
        "cache_control on a message",
        1,
        ["changed", "params", "history"],
        [
          `content: "Do you have Momo?"`,
          `content: [{ type: "text", text: "Do you have Momo?", cache_control: { type: "ephemeral" } }]`,
        ],
      ],
      [
        "cache_control on a tool result",
        3,
        ["changed", "params", "history"],
        [`content: JSON.stringify(found) }`, `content: JSON.stringify(found), cache_control: { type: "ephemeral" } }`],
      ],
      [
        "a thinking signature changed",
        3,
        ["history", "changed", "params"],
        after("const use =", ' (first.content.find((b) => b.type === "thinking").signature += "A") &&'),
      ],
      [
        "a thinking signature dropped",
        3,
        ["history", "changed", "params"],
        before("const use =", "for (const b of first.content) delete b.signature;\n"),
      ],
      [
        "the thinking dropped",
        3,
        ["history", "changed", "params"],
        ["content: first.content }", `content: first.content.filter((b) => b.type !== "thinking") }`],
      ],
      [
        "the thinking of the second dropped",
        4,
        ["history", "changed", "params"],
        ["content: second.content }", `content: second.content.filter((b) => b.type !== "thinking") }`],
      ],
      [
        "a thinking text changed",
        3,
        ["history", "changed", "params"],
        before("const use =", 'first.content[0].thinking = "hm";\n'),
      ],
    ),
    ...added(
      "bookkeeping fields",
      "params",
      [
        `service_tier: "standard_only"`,
        `container: "c1"`,
        `inference_geo: "us"`,
        "stream: false",
        `mcp_servers: []`,
        `context_management: { edits: [] }`,
      ],
      [
        [1, inAll],
        [3, inSecond],
        [4, inLast],
      ],
    ),
    ...edits(
      "tools offered",
      ["another description", 1, ["changed", "params"], ["Looks for a book.", "Looks for books."]],
      ["order of tools", 1, ["changed", "params"], ["tools: offered", "tools: [offered[1], offered[0]]"]],
      [
        "another schema",
        1,
        ["changed", "params"],
        [`to: { type: "string" } } }`, `to: { type: "string" } }, required: ["to"] }`],
      ],
      ["a tool less in the last", 4, ["changed", "params"], inLast("tools: offered.slice(1)")],
    ),
    ...edits(
      "system prompt",
      ["first part", 1, "system", ["You are a librarian.", "You are a teacher."]],
      ["second part", 1, "system", ["quiet.", "very quiet."]],
      ["parts exchanged", 1, "system", ["    system,\n", "    system: system.toReversed(),\n"]],
      [
        "parts joined",
        1,
        ["system", "params"],
        ["    system,\n", `    system: system.map(({ text }) => text).join(""),\n`],
      ],
      ["none in the last", 4, "system", inLast("system: []")],
    ),
    ...edits(
      "user message",
      ["the question", 1, "changed", ["Do you have Momo?", "Do you have Krabat?"]],
      ["the last question", 4, "changed", ["Lend it to Ida.", "Lend it to Max."]],
      ["the tool's result", 3, "changed", ["content: JSON.stringify(found)", "content: JSON.stringify(found[0])"]],
      [
        "the tool's result is an error",
        3,
        ["changed", "params"],
        ["content: JSON.stringify(found)", "content: JSON.stringify(found), is_error: true"],
      ],
    ),
    ...edits(
      "history",
      [
        "first answer dropped",
        3,
        ["history", "changed"],
        cut(`messages.push({ role: "assistant", content: first.content });\n`),
      ],
      [
        "first question edited later",
        3,
        ["history", "changed"],
        before("const second", `messages[0].content += " Please.";\n`),
      ],
      ["only the last three messages", 4, ["history", "changed"], inLast("messages: messages.slice(-3)")],
    ),
    ...edits(
      "ids",
      ["an id of its own", 3, ["changed", "history"], ["tool_use_id: use.id", `tool_use_id: "toolu_000000000000"`]],
      ["the message's id", 3, ["changed", "history"], ["tool_use_id: use.id", "tool_use_id: first.id"]],
      ["an id in the tool's argument", 5, "changed", [`to: "Ida" }`, "to: third.id }"]],
      ["an id in the metadata", 4, "params", inLast("metadata: { user_id: second.id }")],
    ),
    ...edits(
      "headers",
      ["another beta", 1, "params", ["prompt-caching-2024-07-31", "token-counting-2024-11-01"]],
      ["a second beta", 1, "params", ["prompt-caching-2024-07-31", "prompt-caching-2024-07-31,files-api-2025-04-14"]],
      ["no beta", 1, "params", [`{ defaultHeaders: { "anthropic-beta": "prompt-caching-2024-07-31" } }`, ""]],
      [
        "another version",
        1,
        "params",
        [
          `"anthropic-beta": "prompt-caching-2024-07-31"`,
          `"anthropic-beta": "prompt-caching-2024-07-31", "anthropic-version": "2023-01-01"`,
        ],
      ],
      [
        "a tenant",
        1,
        "params",
        [
          `"anthropic-beta": "prompt-caching-2024-07-31"`,
          `"anthropic-beta": "prompt-caching-2024-07-31", "x-tenant": "north"`,
        ],
      ],
      ["another key", 1, "params", ["new Anthropic({ ", `new Anthropic({ apiKey: "sk-ant-api03-other", `]],
      [
        "a token in place of a key",
        1,
        "params",
        ["new Anthropic({ ", `new Anthropic({ apiKey: null, authToken: "tok-1", `],
      ],
    ),
    ...edits(
      "tool calls",
      ["another title", 2, "changed", ["search(use.input)", `search({ title: "Krabat" })`]],
      ["another person", 5, "changed", [`to: "Ida" }`, `to: "Max" }`]],
      ["never lent", 5, "missing", [`await lend({ title: "Momo", to: "Ida" })`, "0"]],
      [
        "lent before the last answer",
        [4, 5],
        ["reordered", "changed"],
        before("const third", `const lent = await lend({ title: "Momo", to: "Ida" });\n`),
        [`console.log(await lend({ title: "Momo", to: "Ida" }))`, "console.log(lent)"],
      ],
    ),
    ...edits(
      "calls added, removed, moved",
      [
        "a call more in the middle",
        2,
        ["extra", "exhausted"],
        before("const use =", `await client.messages.countTokens({ model: "claude-sonnet-4-5", messages });\n`),
      ],
      [
        "the second call left out",
        [3, 4],
        ["missing", "changed", "params"],
        ["const second = await ask();", "const second = first;"],
      ],
    ),
    ...edits("control flow", [
      "a turn is ended by its stop reason",
      2,
      ["missing"],
      [
        "const found = await search(use.input)",
        `const found = first.stop_reason === "tool_use" ? [{ title: "Momo", shelf: "B4" }] : await search(use.input)`,
      ],
    ]),
  ],
  controls: controls(
    [
      "order of keys in the request",
      [
        "    temperature: 1,\n    system,\n    tools: offered,\n",
        "    tools: offered,\n    system,\n    temperature: 1,\n",
      ],
    ],
    [
      "order of keys in a content block",
      [
        `{ type: "tool_result", tool_use_id: use.id, content: JSON.stringify(found) }`,
        `{ tool_use_id: use.id, content: JSON.stringify(found), type: "tool_result" }`,
      ],
    ],
    [
      "messages pushed one by one",
      [
        `messages.push({ role: "assistant", content: second.content }, { role: "user"`,
        `messages.push({ role: "assistant", content: second.content });\nmessages.push({ role: "user"`,
      ],
    ],
    ["minified names", ["const search = tool(", "const s = tool("], ["await search(use.input)", "await s(use.input)"]],
    ["name of a header in other letters", [`"anthropic-beta": "prompt`, `"Anthropic-Beta": "prompt`]],
    ["@anthropic-ai/sdk 1.11.0", { release: { name: "@anthropic-ai/sdk", version: "1.11.0" } }],
    ["@anthropic-ai/sdk 1.9.0", { release: { name: "@anthropic-ai/sdk", version: "1.9.0" } }],
    ["another time zone", { env: { TZ: "America/Lima" } }],
  ),
};
