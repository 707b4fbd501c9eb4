import { after, before, controls, cut, edits, type Suite } from "../edit.ts";

const SECOND = { run: 1 } as const;
const THIRD = { run: 2 } as const;

export const twoAgents: Suite = {
  program: "two-agents.mjs",
  edits: [
    ...edits(
      "other runs of the process",
      ["the first agent, first run replayed", 1, "changed", ["What kind is", "Which kind is"]],
      ["the first agent, third run replayed", 1, "changed", ["What kind is", "Which kind is"], THIRD],
      ["the first agent, second run replayed", 1, "changed", ["What kind is", "Which kind is"], SECOND],
      ["the second agent, first run replayed", 1, "changed", ["Answer ${ticket}.", "Reply to ${ticket}."]],
      ["the second agent, its run replayed", 1, "changed", ["Answer ${ticket}.", "Reply to ${ticket}."], SECOND],
      ["the second agent's second call, first run replayed", 2, "changed", ["Improve: ", "Shorten: "]],
      ["the second agent's second call, third run replayed", 2, "changed", ["Improve: ", "Shorten: "], THIRD],
      ["the second agent's tool, first run replayed", 3, "changed", [`kind: "reply", text`, `kind: "answer", text`]],
      ["the first agent's tool, second run replayed", 2, "changed", [`kind: "ticket"`, `kind: "case"`], SECOND],
      ["model of all, second run replayed", 1, "params", ["gpt-4.1-mini", "gpt-4.1"], SECOND],
      [
        "another argument of the third call, first run replayed",
        [1, null],
        ["changed", "extra", "missing", "input-changed"],
        [`triage("T-2")`, `triage("T-3")`],
      ],
      [
        "another argument of the third call, third run replayed",
        [1, null],
        ["changed", "extra", "missing", "no-substance", "input-changed"],
        [`triage("T-2")`, `triage("T-3")`],
        THIRD,
      ],
      [
        "the second agent is not called, first run replayed",
        [1, null],
        "missing",
        cut(`console.log(await reply("T-1"));\n`),
      ],
      [
        "the second agent is not called, its run replayed",
        [1, null],
        ["missing", "no-substance"],
        cut(`console.log(await reply("T-1"));\n`),
        SECOND,
      ],
      [
        "a call more, first run replayed",
        [1, 2, 3, null],
        ["extra", "changed", "exhausted"],
        after(`console.log(await triage("T-2"));\n`, `await reply("T-2").catch(() => {});\n`),
      ],
      [
        "a call less in the second agent, first run replayed",
        [2],
        "missing",
        ["const better = await ask(`Improve: ${draft}`);", "const better = draft;"],
      ],
      [
        "the second agent's answer, its run replayed",
        null,
        "output-changed",
        [
          'return save({ kind: "reply", text: better });',
          'return (await save({ kind: "reply", text: better })).toUpperCase();',
        ],
        SECOND,
      ],
      [
        "the second agent's answer, first run replayed",
        null,
        "output-changed",
        [
          'return save({ kind: "reply", text: better });',
          'return (await save({ kind: "reply", text: better })).toUpperCase();',
        ],
      ],
    ),
  ],
  controls: controls(
    ["unchanged, second run", SECOND],
    ["unchanged, third run", THIRD],
    ["comments, second run", before("console.log(await reply", "// the reply\n"), SECOND],
    ["order of keys, third run", [`{ kind: "ticket", text: kind }`, `{ text: kind, kind: "ticket" }`], THIRD],
    ["agents defined in another order", ["const reply = agent(", "void 0;\nconst reply = agent("]],
  ),
};

export const ownServer: Suite = {
  program: "own-server.mjs",
  edits: [
    ...edits(
      "other runs of the process",
      ["the question before the server", 1, "changed", ["Are we open?", "Is it open?"]],
      ["the question after the server", 2, "changed", ["Are we closed?", "Is it closed?"]],
      ["the handler's question, process replayed", 1, "changed", ["Offer ${item}", "Sell ${item}"]],
      ["the handler's question, its run replayed", 1, "changed", ["Offer ${item}", "Sell ${item}"], SECOND],
      ["the handler's question, second request replayed", 1, "changed", ["Offer ${item}", "Sell ${item}"], THIRD],
      ["the handler's tool, its run replayed", 2, "changed", ["price({ item })", "price({ item, vat: 8 })"], SECOND],
      ["the handler's tool, process replayed", 2, "changed", ["price({ item })", "price({ item, vat: 8 })"]],
      ["a request less, process replayed", [1, null], "missing", [`["lamp", "rug"]`, `["lamp"]`]],
      [
        "another item, its run replayed",
        [1, null],
        ["changed", "missing", "no-substance", "input-changed"],
        [`["lamp", "rug"]`, `["desk", "rug"]`],
        SECOND,
      ],
      [
        "the handler's answer, its run replayed",
        null,
        "output-changed",
        ["text: choices[0].message.content.slice(0, 20)", "text: choices[0].message.content.slice(0, 10)"],
        SECOND,
      ],
      [
        "the printed price, process replayed",
        null,
        "output-changed",
        ["console.log(offer.item, offer.price)", "console.log(offer.item, `${offer.price}.00`)"],
      ],
    ),
  ],
  controls: controls(
    ["unchanged, first request", SECOND],
    ["unchanged, second request", THIRD],
    [
      "a handler of its own name",
      ["const server = createServer(async (request, response) => {", "const handle = async (request, response) => {"],
      [
        "  response.end(JSON.stringify(offer));\n});",
        "  response.end(JSON.stringify(offer));\n};\nconst server = createServer(handle);",
      ],
    ],
  ),
};
