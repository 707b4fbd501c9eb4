import { before, controls, cut, edits, type Suite } from "../edit.ts";

const FILES = "files-changed";

/** Steps: 1 status · 2 its child · 3 chat · 4 count · 5 its child · 6 chat · 7 commit · 8 its child. */
export const buildBot: Suite = {
  program: "build-bot.mjs",
  files: {
    "src/a.txt": "alpha TODO\n",
    "src/b.txt": "beta\n",
    "src/c.md": "x",
    "src/long-name.txt": "gamma TODO TODO\n",
  },
  edits: [
    ...edits(
      "system prompt",
      ["files of another kind", 3, ["system", "changed"], [`endsWith(".txt")`, `endsWith(".md")`]],
      ["all files", [3], ["system", "changed"], [`.filter((name) => name.endsWith(".txt"))`, ""]],
      ["lines joined otherwise", 3, "system", [`].join("\\n") },`, `].join(" ") },`]],
      [
        "files in the order of their length",
        3,
        "system",
        ["${files.toSorted().join", "${files.toSorted((a, b) => b.length - a.length).join"],
      ],
      ["a file beside the program", 3, ["changed"], { file: "src/b.txt" }, ["beta", "beta and more"]],
    ),
    ...edits(
      "headers",
      ["a header from a list", 3, "params", [`"x-bot", "builder"`, `"x-bot", "builder-2"`]],
      ["a header twice", 3, "params", [`["x-bot", "builder"],`, `["x-bot", "builder"],\n      ["x-bot", "second"],`]],
      ["a type with its charset", 3, "params", [`"application/json"]`, `"application/json; charset=latin1"]`]],
    ),
    ...edits(
      "tool calls",
      ["another folder", 1, "changed", [`status({ folder: "src" })`, `status({ folder: "./src/" })`]],
      ["another pattern", 4, "changed", [`pattern: "TODO"`, `pattern: "FIXME"`]],
      [
        "a list in another order",
        4,
        "changed",
        [`count({ pattern: "TODO", files })`, `count({ pattern: "TODO", files: files.toSorted().toReversed() })`],
      ],
      ["a longer message", 7, "changed", [".slice(0, 12)", ".slice(0, 13)"]],
      [
        "sizes as texts",
        7,
        "changed",
        ["await commit({ message, sizes })", "await commit({ message, sizes: sizes.map(String) })"],
      ],
      [
        "a size that is not a number",
        7,
        "changed",
        ["await commit({ message, sizes })", "await commit({ message, sizes: [...sizes, NaN] })"],
      ],
      [
        "minus nought",
        7,
        "changed",
        ["await commit({ message, sizes })", "await commit({ message, sizes, debt: -0 })"],
      ],
      ["a count without its tool", 4, "missing", [`await count({ pattern: "TODO", files })`, "12"]],
      [
        "no commit without changes",
        7,
        "missing",
        ["  console.log(await commit", "  if (sizes.length > 5) console.log(await commit"],
      ],
      [
        "a commit within its handler",
        8,
        "extra",
        ["finally {\n", 'finally {\n  await commit({ message: "again", sizes });\n'],
      ],
    ),
    ...edits(
      "control flow",
      ["a threshold", 6, "params", ["hits > 4 ?", "hits > 400 ?"]],
      ["a cache that is never used", null, [FILES], [`writeFileSync(cacheFile, JSON.stringify(cache));\n`, ""]],
      ["a cache of one file", null, FILES, ["JSON.stringify(cache)", `JSON.stringify({ "a.txt": cache["a.txt"] })`]],
      ["sizes of names", [3], ["changed"], ['statSync(join("src", name)).size', "name.length"]],
    ),
    ...edits(
      "user message",
      [
        "a map in its own order",
        6,
        "changed",
        ["files.toSorted().map((name, index) => [name", "files.toSorted().toReversed().map((name, index) => [name"],
      ],
      ["a map as text", 6, "changed", ["JSON.stringify(Object.fromEntries(table))", "String(table)"]],
      ["tokens in the question", 6, "changed", ["`${plan.text}\\n", "`${plan.tokens} ${plan.text}\\n"]],
    ),
    ...edits(
      "calls added, removed, moved",
      [
        "a child beside the tools",
        [null, 1, 2, 3, 4, 5, 6, 7, 8],
        ["leak", "refused", "unrecorded", "extra"],
        before("const listed =", `await run("date", []);\n`),
      ],
      [
        "a call to a child that is refused and forgiven",
        [null, 1, 2, 3, 4, 5, 6, 7, 8],
        ["leak", "extra"],
        before("const listed =", `await run("date", []).catch(() => {});\n`),
      ],
    ),
    ...edits("exit", [
      "an exit in a handler's end",
      null,
      ["exit-code-changed"],
      [
        `console.info("%i tokens", plan.tokens > 0 ? 1 : 0);`,
        `console.info("%i tokens", plan.tokens > 0 ? 1 : 0);\n  process.exit(1);`,
      ],
    ]),
    ...edits(
      "standard output",
      [
        "another number format",
        null,
        "output-changed",
        [`"%i tokens"`, `"%o tokens"`],
        ["plan.tokens > 0 ? 1 : 0", "String(plan.tokens > 0)"],
      ],
      ["a table", null, "output-changed", before("const hits =", "console.table(cache);\n")],
    ),
  ],
  controls: controls(
    [
      "headers in an object",
      [
        `new Headers([\n      ["content-type", "application/json"],\n      ["x-bot", "builder"],\n    ])`,
        `{ "X-Bot": "builder", "Content-Type": "application/json" }`,
      ],
    ],
    [
      "another way to list",
      ['readdirSync("src")', 'readdirSync("src", { withFileTypes: true }).map(({ name }) => name)'],
    ],
    ["a table printed to nowhere", before("const hits =", "structuredClone(cache);\n")],
    [
      "a body of bytes",
      [
        'body: JSON.stringify({ model: "gpt-4.1", temperature: 0.4, messages, ...more })',
        'body: new TextEncoder().encode(JSON.stringify({ model: "gpt-4.1", temperature: 0.4, messages, ...more }))',
      ],
    ],
    ["the body of a child's tool", ['.stdout.trim().split("\\n")', '.stdout.split("\\n").filter(Boolean)']],
    ["a file that is not read", { file: "src/c.md" }, ["x", "y"]],
    ["a handler that never runs", ["process.exit(2)", "process.exit(3)"]],
    ["exists by stat", ["existsSync(cacheFile) ?", "statSync(cacheFile, { throwIfNoEntry: false }) ?"]],
    ["sorted in place", ["const sizes = files.toSorted()", "files.sort();\nconst sizes = files"]],
    ["cut by a pattern", ['.split("\\n", 1)[0].slice(0, 12)', ".match(/^.{0,12}/)[0]"]],
    [
      "no folder made twice",
      cut(`mkdirSync("cache", { recursive: true });\n`),
      ["const cacheFile", `mkdirSync("cache", { recursive: true });\nconst cacheFile`],
    ],
  ),
};
