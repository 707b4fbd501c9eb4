import { added, after, before, type Change, cut, type Edit, edits } from "../edit.ts";

export const everyTurn = (field: string): Change => after("    temperature: 0.2,\n", `    ${field},\n`);
const inTurn = (turn: number) => (field: string) =>
  after(`    tool_choice: "auto",\n`, `    ...(turn === ${turn} && { ${field} }),\n`);
export const inSummary = (field: string): Change => after(`  stop: ["END"],\n`, `  ${field},\n`);
const PLACES = [
  [1, everyTurn],
  [4, inTurn(1)],
  [6, inTurn(2)],
  [7, inSummary],
] as const;

const OFFER_LAST = `  {
    type: "function",
    function: {
      name: "refund_order",
      description: "Gives money back.",
      parameters: { type: "object", properties: { number } },
    },
  },
`;

/** Edits of the fields of its requests. */
export const fieldEdits: readonly Edit[] = [
  ...edits(
    "model",
    ["another model in the loop", 1, "params", [`"gpt-4.1-mini"`, `"gpt-4.1"`]],
    ["another model in the summary", 7, "params", [`"gpt-4.1-nano"`, `"gpt-4.1-mini"`]],
    ["a dated model", 1, "params", [`"gpt-4.1-mini"`, `"gpt-4.1-mini-2025-04-14"`]],
    [
      "another model from the second turn on",
      4,
      "params",
      [`model: "gpt-4.1-mini"`, `model: turn > 0 ? "o4-mini" : "gpt-4.1-mini"`],
    ],
  ),
  ...edits(
    "parameters",
    ["temperature changed", 1, "params", ["temperature: 0.2", "temperature: 0.25"]],
    ["temperature removed", 1, "params", cut("    temperature: 0.2,\n")],
    ["max_tokens changed", 1, "params", ["max_tokens: 400", "max_tokens: 401"]],
    ["max_tokens renamed", 1, "params", ["max_tokens: 400", "max_completion_tokens: 400"]],
    ["seed changed", 1, "params", ["seed: 7", "seed: 8"]],
    ["seed as text", 1, "params", ["seed: 7", `seed: "7"`]],
    ["stop changed", 7, "params", [`stop: ["END"]`, `stop: ["END", "."]`]],
    ["stop as text", 7, "params", [`stop: ["END"]`, `stop: "END"`]],
    ["tool_choice changed", 1, "params", [`tool_choice: "auto"`, `tool_choice: "required"`]],
    [
      "tool_choice from the second turn on",
      4,
      "params",
      [`tool_choice: "auto"`, `tool_choice: turn > 0 ? "none" : "auto"`],
    ],
  ),
  ...added(
    "parameters",
    "params",
    [
      "top_p: 0.9",
      "frequency_penalty: 0.1",
      "presence_penalty: -0.1",
      "n: 1",
      `response_format: { type: "json_object" }`,
      "logprobs: true",
      "logit_bias: { 50256: -100 }",
      `reasoning_effort: "low"`,
      "parallel_tool_calls: false",
      `modalities: ["text"]`,
      `prediction: { type: "content", content: "yes" }`,
      `verbosity: "low"`,
      `web_search_options: {}`,
    ],
    PLACES,
  ),
  ...edits(
    "bookkeeping fields",
    ["user changed", 1, "params", [`user: "desk-1"`, `user: "desk-2"`]],
    ["user removed", 1, "params", cut(`    user: "desk-1",\n`)],
    ["metadata changed", 1, "params", [`team: "orders"`, `team: "returns"`]],
    ["metadata grows", 1, "params", [`{ team: "orders" }`, `{ team: "orders", shift: "late" }`]],
  ),
  ...added(
    "bookkeeping fields",
    "params",
    [
      "store: true",
      `service_tier: "flex"`,
      `prompt_cache_key: "desk"`,
      `safety_identifier: "desk-1"`,
      `x_trace: { run: 4 }`,
      "stream_options: { include_usage: true }",
      "store: false",
      "stream: false",
    ],
    PLACES,
  ),
  ...edits(
    "tools offered",
    ["another description", 1, ["changed", "params"], ["Finds an order.", "Finds one order."]],
    [
      "another required field",
      1,
      ["changed", "params"],
      [`required: ["number"] },\n    },\n  },\n];`, `required: [] },\n    },\n  },\n];`],
    ],
    [
      "another type of an argument",
      1,
      ["changed", "params"],
      [`reason: { type: "string" }`, `reason: { type: "number" }`],
    ],
    ["description of a shared argument", 1, ["changed", "params"], ["Number of an order.", "The order."]],
    [
      "a tool more",
      1,
      ["changed", "params"],
      [`},\n  },\n];\n\nconst messages`, `},\n  },\n${OFFER_LAST}];\n\nconst messages`],
    ],
    ["order of tools", 1, ["changed", "params"], ["tools: offered", "tools: offered.toReversed()"]],
    [
      "order of tools in the last turn",
      6,
      ["changed", "params"],
      ["tools: offered", "tools: turn < 2 ? offered : offered.toReversed()"],
    ],
    ["a tool less", 1, ["changed", "params"], ["tools: offered", "tools: offered.slice(0, 1)"]],
    [
      "no tools in the last turn",
      6,
      ["changed", "params"],
      ["tools: offered", "tools: turn < 2 ? offered : undefined"],
    ],
    [
      "strict tools",
      1,
      ["changed", "params"],
      [`description: "Finds an order.",`, `description: "Finds an order.",\n      strict: true,`],
    ],
  ),
  ...edits(
    "system prompt",
    ["a word changed", 1, "system", ["the order desk", "the returns desk"]],
    ["a space added", 1, "system", ["of a shop.", "of a shop. "]],
    [
      "system prompt removed",
      1,
      "system",
      cut(`  { role: "system", content: "You are the order desk of a shop." },\n`),
    ],
    ["system prompt of the summary", 7, "system", ["You sum up.", "You sum up in German."]],
    [
      "system prompt from the second turn on",
      4,
      "system",
      before("  const completion", `  if (turn === 1) messages[0].content += " Be brief.";\n`),
    ],
    [
      "system becomes developer",
      1,
      ["system", "changed", "history", "params"],
      [`{ role: "system", content: "You are the`, `{ role: "developer", content: "You are the`],
    ],
  ),
];
