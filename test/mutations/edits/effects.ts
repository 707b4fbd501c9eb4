import { after, before, controls, cut, edits, type Suite } from "../edit.ts";

const FILES = "files-changed";
const ROWS = "database-changed";

export const writesFiles: Suite = {
  program: "writes-files.mjs",
  edits: [
    ...edits(
      "files",
      ["text of a file", null, FILES, ["# Report\\n\\n", "# Report\\n"]],
      ["one letter of a file", null, FILES, ["# Report", "# report"]],
      ["name of a file", null, FILES, [`"out/report.md"`, `"out/report.txt"`]],
      ["folder of a file", null, FILES, ["`out/parts/${index}.txt`", "`out/${index}.txt`"]],
      ["a file less", null, FILES, cut('writeFileSync("out/report.md", `# Report\\n\\n${report}\\n`);\n')],
      [
        "a file more",
        null,
        FILES,
        after(`appendFileSync("out/log.txt", "report written\\n");\n`, `writeFileSync("out/extra.txt", "x");\n`),
      ],
      ["an empty file more", null, FILES, before("rmSync(", `writeFileSync("out/done", "");\n`)],
      [
        "written over in place of appended",
        null,
        [FILES, "output-changed"],
        [`appendFileSync("out/log.txt", "parts written\\n")`, `writeFileSync("out/log.txt", "parts written\\n")`],
      ],
      [
        "a line less in a log",
        null,
        [FILES, "output-changed"],
        cut(`appendFileSync("out/log.txt", "parts written\\n");\n`),
      ],
      ["a line of a log", null, FILES, [`"report written\\n"`, `"report done\\n"`]],
      ["a draft is kept", null, FILES, cut(`rmSync("out/draft.txt");\n`)],
      ["a text in one of the parts", null, FILES, [".txt`, part)", ".txt`, index === 1 ? `${part}.` : part)"]],
      ["parts exchanged", null, FILES, ["parts.map((part, index)", "parts.toReversed().map((part, index)"]],
      ["a header of a stream", null, FILES, [`"name,size\\n"`, `"name;size\\n"`]],
      ["a row more in a stream", null, FILES, before("stream.end();", `stream.write("log,1\\n");\n`)],
      ["a file is not renamed", null, FILES, cut(`renameSync("out/summary.tmp", "out/summary.json");\n`)],
      ["indentation of a file", null, FILES, ["ok: true }, null, 2)", "ok: true })"]],
      ["a value in a file", null, FILES, ["ok: true", "ok: false"]],
    ),
    ...edits("user message", ["a part's name", 3, "changed", [`"main"]`, `"body"]`]]),
    ...edits("standard output", [
      "lines of the log",
      null,
      "output-changed",
      [`.split("\\n").length`, `.trim().split("\\n").length`],
    ]),
  ],
  controls: controls(
    [
      "a stream written at once",
      [
        'stream.write("name,size\\n");\nstream.write(`report,${report.length > 0}\\n`);\nstream.end();',
        "stream.end(`name,size\\nreport,${report.length > 0}\\n`);",
      ],
    ],
    [
      "a line written in two parts",
      [
        `appendFileSync("out/log.txt", "parts written\\n");`,
        `appendFileSync("out/log.txt", "parts ");\nappendFileSync("out/log.txt", "written\\n");`,
      ],
    ],
    [
      "bytes in place of text",
      [`writeFileSync("out/draft.txt", "draft")`, `writeFileSync("out/draft.txt", Buffer.from("draft"))`],
    ],
    ["another text in a draft that is removed", [`"draft")`, `"a draft")`]],
    ["an absolute path", [`writeFileSync("out/report.md"`, "writeFileSync(`${process.cwd()}/out/report.md`"]],
    ["a path with dots", [`"out/summary.tmp", JSON`, `"./out/../out/summary.tmp", JSON`]],
  ),
};

export const keepsRows: Suite = {
  program: "keeps-rows.mjs",
  edits: [
    ...edits(
      "databases",
      ["a value of a row", null, ROWS, [`insert.run("lamp", "open", 4900)`, `insert.run("lamp", "open", 4950)`]],
      ["a text of a row", [4, null], ["changed", ROWS], [`insert.run("rug", "open"`, `insert.run("carpet", "open"`]],
      [
        "a row more",
        [3, 4, null],
        ["changed", ROWS],
        after(`insert.run("rug", "open", 12900);\n`, `insert.run("hat", "closed", 100);\n`),
      ],
      ["a row less", [3, 4, null], ["changed", ROWS], cut(`insert.run("rug", "open", 12900);\n`)],
      ["another state", null, ROWS, [`.run("closed", "lamp")`, `.run("done", "lamp")`]],
      [
        "the update is left out",
        [3, 4, null],
        ["changed", ROWS],
        cut(`db.prepare("UPDATE tickets SET state = ? WHERE title = ?").run("closed", "lamp");\n`),
      ],
      [
        "the update reaches all",
        [3, 4, null],
        ["changed", ROWS],
        ['WHERE title = ?").run("closed", "lamp")', 'WHERE title <> ? OR 1").run("closed", "")'],
      ],
      [
        "a delete in place of an update",
        [null],
        [ROWS],
        [
          `"UPDATE tickets SET state = ? WHERE title = ?").run("closed", "lamp")`,
          `"DELETE FROM tickets WHERE title = ?").run("lamp")`,
        ],
      ],
      ["a note of another ticket", null, ROWS, [".run(1, note)", ".run(2, note)"]],
      ["a note's text", null, ROWS, [".run(1, note)", ".run(1, note.toUpperCase())"]],
      ["a note less", null, ROWS, cut(`db.prepare("INSERT INTO notes VALUES (?, ?)").run(1, note);\n`)],
      [
        "a column more",
        null,
        ROWS,
        ["(ticket INTEGER, text TEXT)", "(ticket INTEGER, text TEXT, at TEXT)"],
        ["INTO notes VALUES (?, ?)", "INTO notes (ticket, text) VALUES (?, ?)"],
      ],
      ["a table more", null, ROWS, before("const insert", `db.exec("CREATE TABLE tags (name TEXT)");\n`)],
      ["an index", null, ROWS, before("const insert", `db.exec("CREATE INDEX by_state ON tickets (state)");\n`)],
      ["another database", null, [ROWS, FILES], [`"desk.db"`, `"shop.db"`]],
      ["order of a query", 4, "changed", ["state = 'open' ORDER BY id", "1 ORDER BY id DESC"]],
      ["another sum", 3, "changed", ["sum(cents) AS sum", "max(cents) + 1 AS sum"]],
    ),
  ],
  controls: controls(
    [
      "a statement written otherwise",
      ["UPDATE tickets SET state = ? WHERE title = ?", "update tickets  set state = ?  where title = ?"],
    ],
    [
      "a transaction",
      [`insert.run("lamp", "open", 4900);`, `db.exec("BEGIN");\ninsert.run("lamp", "open", 4900);`],
      [`insert.run("rug", "open", 12900);`, `insert.run("rug", "open", 12900);\ndb.exec("COMMIT");`],
    ],
    [
      "named places",
      [
        `"SELECT title FROM tickets WHERE state = 'open' ORDER BY id").all()`,
        `"SELECT title FROM tickets WHERE state = :state ORDER BY id").all({ state: "open" })`,
      ],
    ],
    ["a query more", before("const note", `db.prepare("SELECT count(*) FROM tickets").get();\n`)],
  ),
};

export const ends: Suite = {
  program: "ends.mjs",
  files: {
    "config.json": JSON.stringify({ temperature: 0.1, system: "You check.", question: "All well?", strict: true }),
  },
  edits: [
    ...edits(
      "exit",
      [
        "another code",
        null,
        "exit-code-changed",
        ['process.on("exit", (code) => console.log(`ends with ${code}`));\n', ""],
        ["process.exitCode = 3", "process.exitCode = 4"],
        after("problems`);\n", `process.on("exit", () => console.log("ends with 3"));\n`),
      ],
      ["no code", null, ["exit-code-changed", "output-changed"], cut("if (problems > 0) process.exitCode = 3;\n")],
      ["an exit before the check", 3, ["missing"], before("const { problems }", "process.exit(3);\n")],
      ["an exit before the second question", 2, "missing", before("const second", "process.exit(3);\n")],
      [
        "an exit at the start",
        1,
        ["missing", "no-substance"],
        before('console.error("starting")', "process.exit(3);\n"),
      ],
      [
        "an error at the end",
        null,
        ["error", "exit-code-changed", "output-changed", "stderr-changed"],
        ["process.exitCode = 3;", 'throw new Error("problems");'],
      ],
      [
        "an error after the first question",
        2,
        ["error", "missing"],
        before("const second", 'throw new Error("broken");\n'),
      ],
      [
        "an exit of its own at the end",
        null,
        ["exit-code-changed", "output-changed"],
        ["process.exitCode = 3", "process.exit(5)"],
      ],
    ),
    ...edits(
      "standard error",
      ["a word", null, "stderr-changed", [`"starting"`, `"started"`]],
      ["a line less", null, "stderr-changed", cut(`console.warn("one question left");\n`)],
      ["a line more", null, "stderr-changed", before("const second", `console.error("now the second");\n`)],
      ["a number", null, "stderr-changed", ["`${problems} problems`", "`${problems + 1} problems`"]],
      [
        "two lines exchanged",
        null,
        "stderr-changed",
        [`console.error("starting");\n`, `console.error("one question left");\n`],
        [`console.warn("one question left");\nconst`, `console.error("starting");\nconst`],
      ],
      ["to the other output", null, ["output-changed", "stderr-changed"], ["console.warn(", "console.log("]],
    ),
    ...edits(
      "standard output",
      [
        "order of two lines",
        null,
        "output-changed",
        [`console.log("asked", first.length > 0);\n`, ""],
        [`const { problems }`, `console.log("asked", first.length > 0);\nconst { problems }`],
      ],
      ["a line at the exit", null, "output-changed", ["ends with ${", "ended with ${"]],
      [
        "to the other output",
        null,
        ["output-changed", "stderr-changed"],
        [`console.log("asked again"`, `console.error("asked again"`],
      ],
    ),
    ...edits(
      "configuration",
      ["temperature in a file", 1, "params", { file: "config.json" }, [`"temperature":0.1`, `"temperature":0.2`]],
      ["system prompt in a file", 1, "system", { file: "config.json" }, ["You check.", "You test."]],
      ["question in a file", 1, "changed", { file: "config.json" }, ["All well?", "All good?"]],
      ["a switch in a file", 3, "changed", { file: "config.json" }, [`"strict":true`, `"strict":false`]],
      ["temperature gone from a file", 1, "params", { file: "config.json" }, [`"temperature":0.1,`, ""]],
      [
        "a model by a variable of the caller",
        1,
        "params",
        { env: { DESK_MODEL: "gpt-4.1" }, flags: ["--env", "DESK_MODEL"] },
      ],
      ["another default model", 1, "params", ["gpt-4.1-mini", "gpt-4.1-nano"]],
      [
        "another variable",
        1,
        ["params", "env"],
        ["process.env.DESK_MODEL ??", "process.env.DESK_MODEL || process.env.DESK_LOCALE ||"],
        ['"gpt-4.1-mini"', '"gpt-4.1"'],
      ],
    ),
  ],
  controls: controls(
    ["a variable of the caller that is not taken", { env: { DESK_MODEL: "gpt-4.1" } }],
    ["white space in a file", { file: "config.json" }, [`"strict":true`, `\n  "strict": true\n`]],
    ["a field that is not read", { file: "config.json" }, [`"strict":true`, `"strict":true,"owner":"ida"`]],
    [
      "printed in two parts",
      [
        `console.log("asked", first.length > 0);`,
        'process.stdout.write("asked ");\nprocess.stdout.write(`${first.length > 0}\\n`);',
      ],
    ],
    ["written to the error output by hand", [`console.error("starting")`, `process.stderr.write("starting\\n")`]],
  ),
};
