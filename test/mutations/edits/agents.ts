import { after, before, controls, cut, edits, type Suite } from "../edit.ts";

export const subAgents: Suite = {
  program: "sub-agents.mjs",
  edits: [
    ...edits(
      "sub-agents",
      ["question of the editor", 1, "changed", ["An angle on", "A point on"]],
      ["question of a sub-agent", 2, "changed", ["Plan research on", "Plan a study of"]],
      [
        "model of a sub-agent",
        2,
        "params",
        ["await ask(`Plan research on ${topic}`)", 'await ask(`Plan research on ${topic}`, { model: "gpt-4.1" })'],
      ],
      ["first question in a composite tool", 4, "changed", ["A query for", "Queries for"]],
      [
        "temperature of the last question in a composite tool",
        6,
        "params",
        ["for ${query}`)", "for ${query}`, { temperature: 1 })"],
      ],
      ["a tool within a composite tool", 5, "changed", ["https://wiki.test/", "https://wiki.example/"]],
      ["argument of a composite tool", 3, "changed", ["gather({ topic })", "gather({ topic, depth: 2 })"]],
      ["number of parts", 7, "changed", ["outline({ parts: 2 })", "outline({ parts: 3 })"]],
      ["question in a branch", 8, "changed", ["Write ${part} on", "Draft ${part} on"]],
      [
        "question in one branch",
        9,
        "changed",
        ["ask(`Write ${part} on ${topic}`)", 'ask(`Write ${part} on ${part === "part 2" ? "seals" : topic}`)'],
      ],
      ["name of a branch", [8], ["missing", "changed", "extra"], ["branch(part, ", "branch(`the ${part}`, "]],
      ["question in a step", 11, ["changed"], ["A title for", "Titles for"]],
      ["name of a step", [10], ["missing", "changed", "extra"], [`step("title"`, `step("name"`]],
      ["name of a sub-agent", [2], ["missing", "changed", "extra"], [`agent("researcher"`, `agent("student"`]],
      ["argument of a sub-agent", [2], "changed", ["await researcher(topic)", "await researcher(`${topic}s`)"]],
      [
        "sub-agents exchanged",
        [2, 7],
        ["missing", "reordered", "changed"],
        [
          "  const facts = await researcher(topic);\n  const article = await writer(topic, facts);",
          '  const article = await writer(topic, "none");\n  const facts = await researcher(topic);',
        ],
      ],
      [
        "sub-agents at once",
        [7, 3, 8],
        ["reordered", "order"],
        [
          "  const facts = await researcher(topic);\n  const article = await writer(topic, facts);",
          '  const [facts, article] = await Promise.all([researcher(topic), writer(topic, "none")]);',
        ],
      ],
      ["a sub-agent less", 2, "missing", ["const facts = await researcher(topic);", 'const facts = "none";']],
      [
        "a call less in a sub-agent",
        2,
        "missing",
        ["const plan = await ask(`Plan research on ${topic}`);", 'const plan = "a plan";'],
      ],
      [
        "a call more in a sub-agent",
        [2, 3],
        ["extra", "changed"],
        before("  const facts = await gather", '  await ask("Is it enough?").catch(() => {});\n'),
      ],
      [
        "a composite tool is not called",
        3,
        "missing",
        ["const facts = await gather({ topic });", 'const facts = "none";'],
      ],
      [
        "a composite tool asks once",
        4,
        ["missing", "changed"],
        ["const query = await ask(`A query for ${topic}`);", "const query = topic;"],
      ],
      [
        "a page more",
        [6],
        ["extra", "changed", "reordered"],
        after(
          "  const page = await fetchPage({ url: `https://wiki.test/${topic}` });\n",
          '  await fetchPage({ url: "https://wiki.test/more" }).catch(() => {});\n',
        ),
      ],
      ["a page less", 5, "missing", ["await fetchPage({ url: `https://wiki.test/${topic}` })", '"page of " + topic']],
      ["the editor's answer", null, "output-changed", ["`${title} (${angle", "`${title}: (${angle"]],
      ["a branch less", 9, ["missing"], ["parts.map((part)", "parts.slice(0, 1).map((part)"]],
      [
        "one branch after the other",
        [8, 9],
        ["reordered", "missing", "order"],
        [
          "const texts = await Promise.all(parts.map((part) => branch(part, () => ask(`Write ${part} on ${topic}`))));",
          "const texts = [];\n  for (const part of parts) texts.push(await branch(part, () => ask(`Write ${part} on ${topic}`)));",
        ],
      ],
    ),
    ...edits(
      "results not waited for",
      [
        "a generator is left early",
        [7, 8, 9],
        ["missing", "unfinished"],
        ["parts.push(part);", "if (parts.push(part) === 1) break;"],
      ],
      [
        "a page is not waited for",
        [5, 6],
        ["changed", "unfinished", "order"],
        ["const page = await fetchPage(", "const page = fetchPage("],
      ],
    ),
  ],
  controls: controls(
    [
      "a wrapper of a sub-agent",
      [
        "const facts = await researcher(topic);",
        "const research = (about) => researcher(about);\n  const facts = await research(topic);",
      ],
    ],
    [
      "branches by a loop",
      [
        "const texts = await Promise.all(parts.map((part) => branch(part, () => ask(`Write ${part} on ${topic}`))));",
        "const waiting = [];\n  for (const part of parts) waiting.push(branch(part, () => ask(`Write ${part} on ${topic}`)));\n  const texts = await Promise.all(waiting);",
      ],
    ],
    ["body of a tool that is served", ["=> `page of ${url}`", "=> `the page of ${url}`"]],
    [
      "renamed variables of tools and agents",
      ["const fetchPage = tool(", "const getPage = tool("],
      ["await fetchPage(", "await getPage("],
    ],
    ["other arguments", { args: ["x"] }],
  ),
};

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
        ["changed", "extra", "missing"],
        [`triage("T-2")`, `triage("T-3")`],
      ],
      [
        "another argument of the third call, third run replayed",
        [1, null],
        ["changed", "extra", "missing", "no-substance"],
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
        ["changed", "missing", "no-substance"],
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

export const asksPeople: Suite = {
  program: "asks-people.mjs",
  input: "yes\ncard\n",
  edits: [
    ...edits(
      "human input",
      ["another question", 2, "changed", ["Pay 40?", "Pay 50?"]],
      ["another question after the answer", 4, "changed", ["How? (", "By what? ("]],
      ["another name", 2, ["changed", "missing", "extra"], [`input("approve"`, `input("allow"`]],
      [
        "a question less",
        4,
        "missing",
        ['const by = await input("method", `How? (${text.length > 0})`);', `const by = "card";`],
      ],
      ["a question more", [5], "extra", before("if (approved", `await input("note", "Why?").catch(() => {});\n`)],
      [
        "a question before the first",
        [1, 4],
        ["reordered", "extra", "changed"],
        before('await ask("What is due?")', `await input("method", "How?").catch(() => {});\n`),
      ],
      [
        "the answer is turned round",
        3,
        "changed",
        ["The person said ${approved}.", 'The person said ${approved === "yes" ? "no" : "yes"}.'],
      ],
      [
        "the question is not waited for",
        [4, 5],
        ["unfinished", "changed", "order"],
        ["const by = await input(", "const by = input("],
      ],
    ),
    ...edits(
      "control flow",
      ["a branch on the answer", 5, "missing", [`approved === "yes"`, `approved === "y"`]],
      ["a limit", 5, "changed", ["amount: 40", "amount: 400"]],
      [
        "the answer to a call decides",
        5,
        "missing",
        [`if (approved === "yes")`, `if (approved === "yes" && text.length < 5)`],
      ],
    ),
  ],
  controls: controls(
    ["a question from a constant", [`"Pay 40?"`, "`Pay ${30 + 10}?`"]],
    ["a condition written otherwise", [`if (approved === "yes")`, `if (["yes"].includes(approved))`]],
    [
      "branches exchanged",
      [
        'if (approved === "yes") console.log(await pay({ amount: 40, by }));\nelse console.log("nothing paid");',
        'if (approved !== "yes") console.log("nothing paid");\nelse console.log(await pay({ amount: 40, by }));',
      ],
    ],
  ),
};
