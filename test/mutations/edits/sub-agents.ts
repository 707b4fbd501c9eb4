import { after, before, controls, edits, type Suite } from "../edit.ts";

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
