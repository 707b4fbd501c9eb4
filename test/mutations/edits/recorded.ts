import { airline } from "../answers.ts";
import { added, after, before, controls, edits, type Suite } from "../edit.ts";

const { policy, question, tools, results } = airline;
const CHAIN = { file: "chain.json" } as const;

export const tauChain: Suite = {
  program: "tau-chain.mjs",
  files: { "chain.json": JSON.stringify({ policy, question, tools, results }) },
  input: `${airline.says.join("\n")}\n`,
  edits: [
    ...edits(
      "model",
      ["another one", 1, "params", [`"gpt-4o"`, `"gpt-4o-mini"`]],
      ["another one late in the chain", 17, "params", [`model: "gpt-4o"`, `model: turn < 8 ? "gpt-4o" : "gpt-4.1"`]],
    ),
    ...added(
      "parameters",
      "params",
      ["top_p: 0.5", "max_tokens: 500", "seed: 3", "parallel_tool_calls: false"],
      [
        [1, (field) => after("    temperature: 0,\n", `    ${field},\n`)],
        [15, (field) => after("    temperature: 0,\n", `    ...(turn > 6 && { ${field} }),\n`)],
      ],
    ),
    ...edits("system prompt", [
      "a rule",
      1,
      "system",
      CHAIN,
      ["Basic economy flights cannot be modified", "Basic economy flights can be modified"],
    ]),
    ...edits(
      "user message",
      ["the first", 1, "changed", CHAIN, ["modify my upcoming flight", "change my upcoming flight"]],
      ["an answer of the customer", 3, "changed", ["content: said }", 'content: said.trimEnd() + " " }']],
    ),
    ...edits(
      "history",
      [
        "only the last messages",
        [5, 7, 9, 11, 13],
        ["history", "changed", "system"],
        ["    messages,\n", "    messages: messages.length > 8 ? [messages[0], ...messages.slice(-6)] : messages,\n"],
      ],
      [
        "old results are cut",
        [7, 9, 11, 13, 15],
        ["history", "changed"],
        before(
          "  const { choices }",
          '  for (const old of messages.slice(0, -6)) if (old.role === "tool") old.content = old.content.slice(0, 40);\n',
        ),
      ],
      [
        "an answer is left out",
        [9, 11, 13],
        ["history", "changed"],
        before("  const { choices }", "  if (turn === 5) messages.splice(2, 1);\n"),
      ],
    ),
    ...edits(
      "tools offered",
      ["order", 1, ["changed", "params"], ["tools: offered,", "tools: offered.toReversed(),"]],
      ["one less", 1, ["changed", "params"], ["tools: offered,", "tools: offered.slice(1),"]],
      ["a description", 1, ["changed", "params"], CHAIN, ["Calculate the result of", "Compute the result of"]],
    ),
    ...edits(
      "tool calls",
      [
        "an argument of the first",
        4,
        "changed",
        [
          "const args = JSON.parse(call.function.arguments);",
          "const args = { ...JSON.parse(call.function.arguments), full: true };",
        ],
      ],
      [
        "an argument of the booking",
        10,
        "changed",
        ["const content = await tools", 'if (args.cabin) args.cabin = "business";\n      const content = await tools'],
      ],
      [
        "a date of the second search",
        18,
        "changed",
        ["const content = await tools", 'if (turn === 8) args.date = "2024-05-14";\n      const content = await tools'],
      ],
      [
        "the last search is left out",
        22,
        "missing",
        [
          "const content = await tools[call.function.name](args);",
          'const content = turn === 10 ? "[]" : await tools[call.function.name](args);',
        ],
      ],
      [
        "a search twice",
        [15, 16, 17, 18],
        ["extra", "changed", "reordered"],
        [
          "const content = await tools",
          "if (turn === 6) await tools[call.function.name](args).catch(() => {});\n      const content = await tools",
        ],
      ],
    ),
    ...edits(
      "human input",
      [
        "the question in other words",
        2,
        "changed",
        [`input("customer", message.content)`, 'input("customer", `${message.content} `)'],
      ],
      [
        "the customer is not asked",
        6,
        ["missing", "changed"],
        [
          `const said = await input("customer", message.content);`,
          `const said = turn === 2 ? "Yes" : await input("customer", message.content);`,
        ],
      ],
    ),
    ...edits(
      "control flow",
      ["fewer turns", [13, 12, 11], ["missing", "changed"], ["turn < 30", "turn < 6"]],
      [
        "ends at the first refusal",
        [11, 12, 13],
        ["missing"],
        [
          'messages.push({ role: "tool"',
          'if (content.startsWith("Error")) process.exit(0);\n      messages.push({ role: "tool"',
        ],
      ],
      [
        "another end",
        [25],
        ["missing", "extra", "output-changed", "changed"],
        [`if (said === "###STOP###") break;`, `if (turn === 11) break;`],
      ],
    ),
    ...edits("calls added, removed, moved", [
      "a check before the booking",
      [10],
      ["extra", "changed", "missing"],
      [
        "const content = await tools",
        'if (args.cabin) await client.chat.completions.create({ model: "gpt-4o", messages }).catch(() => {});\n      const content = await tools',
      ],
    ]),
  ],
  controls: controls(
    [
      "order of keys",
      [
        "    temperature: 0,\n    messages,\n    tools: offered,\n",
        "    tools: offered,\n    messages,\n    temperature: 0,\n",
      ],
    ],
    ["a tool's body", ["async (args) => results", "async (args) => void 0 ?? results"]],
    ["a copy of the messages", ["    messages,\n", "    messages: structuredClone(messages),\n"]],
    ["a loop without end", ["for (let turn = 0; turn < 30; turn += 1)", "for (let turn = 0; ; turn += 1)"]],
    ["another customer", { args: ["--fast"] }],
  ),
};

export const secrets: Suite = {
  program: "secrets.mjs",
  edits: [
    ...edits(
      "redacted values",
      ["another address everywhere", [1, 2], "changed", ["ida.keller@example.com", "eva.moser@example.com"]],
      ["another address in a tool", 2, "changed", ["max.frei@example.org", "tim.roth@example.org"]],
      ["addresses exchanged", 2, "changed", ["{ to: customer, copy: clerk }", "{ to: clerk, copy: customer }"]],
      ["one address twice", 2, "changed", ["copy: clerk }", "copy: customer }"]],
      ["another card", 1, "changed", ["card 4012888888881881", "card 4222222222222"]],
      ["another card in a tool", 4, "changed", [`card: "4012888888881881"`, `card: "5105105105105100"`]],
      ["a card spaced otherwise", 1, "changed", ["card 4012888888881881", "card 4012 8888 8888 1881"]],
      ["another payer", 4, "changed", ["by: customer", "by: clerk"]],
      ["a word in place of an address", 2, "changed", ["to: customer, copy", `to: "ida", copy`]],
      [
        "another secret",
        3,
        "changed",
        [`sensitive("swordfish-77")`, `sensitive("swordfish-78")`],
        ["is swordfish-77.", "is swordfish-78."],
      ],
      ["words around a secret", 3, "changed", ["The word is", "A word is"]],
      ["words around an address", 1, "changed", ["Write to", "Mail to"]],
    ),
  ],
  controls: controls(
    ["an address put together", [`"ida.keller@example.com"`, `["ida.keller", "example.com"].join("@")`]],
    ["order of keys", ["{ to: customer, copy: clerk }", "{ copy: clerk, to: customer }"]],
    ["a card from a variable", [`card: "4012888888881881"`, `card: ["4012888888881881"][0]`]],
  ),
};

export const secretNumbers: Suite = {
  program: "secret-numbers.mjs",
  edits: [
    ...edits(
      "redacted values",
      ["another number in JSON within a message", 1, "changed", ["password: 48151623", "password: 48151624"]],
      ["another number in a tool", 2, "changed", ["pin: 73910482", "pin: 73910483"]],
      ["another number in a request", 3, "changed", ["from: { pin: 11223344", "from: { pin: 11223345"]],
      [
        "numbers exchanged",
        3,
        "changed",
        ["from: { pin: 11223344", "from: { pin: 55667788"],
        ["to: { pin: 55667788", "to: { pin: 11223344"],
      ],
      ["another number in a printed line", null, "output-changed", ["password: 90817263", "password: 90817264"]],
      ["a telephone number spaced otherwise", null, "output-changed", ["+49 30 901820", "+49 30 90 18 20"]],
      ["another number in a file", null, "files-changed", ["password: 36251413", "password: 36251414"]],
      ["another number in a table", null, "database-changed", ["64738291", "64738292"]],
    ),
  ],
  controls: controls(
    ["a number from a text", ["pin: 73910482", `pin: Number("73910482")`]],
    ["order of keys", ["{ pin: 73910482, amount: 20 }", "{ amount: 20, pin: 73910482 }"]],
    [
      "order of keys in a request",
      ["{ from: { pin: 11223344 }, to: { pin: 55667788 } }", "{ to: { pin: 55667788 }, from: { pin: 11223344 } }"],
    ],
  ),
};

export const secretAgent: Suite = {
  program: "secret-agent.mjs",
  edits: [
    ...edits(
      "redacted values",
      ["another number given to an agent", null, "input-changed", ["pin: 15263748", "pin: 15263749"]],
      [
        "a card spelled otherwise, given to an agent",
        null,
        "input-changed",
        ["4012 8888 8888 1881", "4012-8888-8888-1881"],
      ],
      ["another number returned", null, "output-changed", ["password: 20394857", "password: 20394858"]],
      [
        "numbers of a result exchanged",
        null,
        "output-changed",
        ["[{ password: 20394857 }, { password: 57483920 }]", "[{ password: 57483920 }, { password: 20394857 }]"],
      ],
      ["a result spelled otherwise", null, "output-changed", ["], card };", `], card: card.replaceAll(" ", "-") };`]],
      ["a header spelled otherwise", 1, "params", [`"x-card": card,`, `"x-card": card.replaceAll(" ", ""),`]],
      [
        "an address in capitals in a header",
        1,
        "params",
        [`"x-on-behalf-of": owner`, `"x-on-behalf-of": owner.toUpperCase()`],
      ],
    ),
  ],
  controls: controls(
    [
      "order of keys of an argument",
      [`{ pin: 15263748, owner: "ida.keller@example.com" }`, `{ owner: "ida.keller@example.com", pin: 15263748 }`],
    ],
    [
      "order of keys of a result",
      [
        "{ pin, codes: [{ password: 20394857 }, { password: 57483920 }], card }",
        "{ card, codes: [{ password: 20394857 }, { password: 57483920 }], pin }",
      ],
    ],
    ["a header from a variable", [`"x-card": card,`, `"x-card": [card].join(""),`]],
  ),
};
