import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, controls, cut, edits, type Suite } from "../edit.ts";

const SCORE = `import { parentPort, workerData } from "node:worker_threads";
parentPort.on("message", ({ words }) => {
  const scored = words.map((word) => ({ word, score: word.length * workerData.factor }));
  scored.sort((a, b) => b.score - a.score);
  parentPort.postMessage({ score: scored[0].score, best: scored[0].word });
});
`;

/** Steps: 1 chat · 2 chat with the score · 3 keep. */
export const threadDesk: Suite = {
  program: "thread-desk.mjs",
  files: { "score.mjs": SCORE },
  edits: [
    ...edits(
      "user message",
      ["a word more for the thread", 2, "changed", [`"blue"]`, `"blue", "purple"]`]],
      ["another factor", 2, "changed", ["factor: 2", "factor: 3"]],
      ["another order in the thread", 2, "changed", ["b.score - a.score", "a.score - b.score"], { file: "score.mjs" }],
      ["the first question", 1, "changed", ["three colours", "four colours"]],
    ),
    ...edits("tool calls", [
      "what is kept",
      3,
      "changed",
      ["keep({ score, best })", "keep({ score: score + 1, best })"],
    ]),
    ...edits("parameters", ["tokens", 1, "params", ["max_tokens: 100", "max_tokens: 101"]]),
    ...edits(
      "control flow",
      [
        "the thread ends without a word",
        [2, null],
        ["missing", "no-progress", "error", "unfinished"],
        ["parentPort.postMessage({ score: scored[0].score, best: scored[0].word });", "parentPort.close();"],
        { file: "score.mjs" },
      ],
      [
        "the thread throws",
        [2, null],
        ["missing", "error"],
        ["  scored.sort(", '  if (words.length > 2) throw new Error("too many");\n  scored.sort('],
        { file: "score.mjs" },
      ],
      [
        "a second thread's answer",
        2,
        "changed",
        [
          "await worker.terminate();",
          'worker.postMessage({ words: ["violet"] });\nconst [again] = await once(worker, "message");\nawait worker.terminate();',
        ],
        ["Scored ${score}", "Scored ${again.score}"],
      ],
    ),
  ],
  controls: controls(
    [
      "a loop in the thread",
      [
        "words.map((word) => ({ word, score: word.length * workerData.factor }))",
        "Array.from(words, (word) => ({ word, score: workerData.factor * word.length }))",
      ],
      { file: "score.mjs" },
    ],
    ["a listener more", before("worker.postMessage", `worker.on("online", () => {});\n`)],
    ["a path by a text", [`new URL("./score.mjs", import.meta.url)`, `new URL("score.mjs", import.meta.url)`]],
  ),
};

function notes(folder: string): void {
  mkdirSync(join(folder, "notes"));
  writeFileSync(join(folder, "notes", "a.txt"), "milk and bread");
  writeFileSync(join(folder, "notes", "b.txt"), "call the plumber");
  writeFileSync(join(folder, "notes", "old.tmp"), "old");
}

/** Steps: 1 chat on the notes · 2 chat on the mood · 3 sign. */
export const noteKeeper: Suite = {
  program: "note-keeper.mjs",
  prepare: notes,
  env: { NOTES_LANGUAGE: "German", NOTES_BY: "Ida" },
  edits: [
    ...edits(
      "files",
      ["another text", null, "files-changed", ["notes\\n`);\nawait append", "pages\\n`);\nawait append"]],
      [
        "nothing appended",
        null,
        "files-changed",
        cut('await appendFile("out/sum.txt", `long: ${sum.length > 10}\\n`, { mode: 0o644 });\n'),
      ],
      ["another name", null, "files-changed", ["out/new/final.txt", "out/new/last.txt"]],
      ["not renamed", null, "files-changed", cut(`await rename("out/draft.txt", "out/new/final.txt");\n`)],
      ["not removed", null, "files-changed", cut(`await rm("notes/old.tmp");\n`)],
      ["another removed", null, "files-changed", ["notes/old.tmp", "notes/a.txt"]],
      ["a line less in a stream", null, "files-changed", cut(`stream.write("name,size\\n");\n`)],
      ["a file more", null, "files-changed", before("const mood", `await writeFile("out/more.txt", "");\n`)],
      ["a folder more", null, "files-changed", before("const mood", `await mkdir("out/empty");\n`)],
      ["a file's mode", null, "files-changed", [`"draft");`, `"draft", { mode: 0o755 });`]],
      ["truncated", null, "files-changed", before("await rm(", `await writeFile("out/new/final.txt", "");\n`)],
    ),
    ...edits(
      "configuration",
      [
        "a language taken from here",
        1,
        "system",
        [`const sum =`, `process.env.NOTES_LANGUAGE = "Dutch";\nconst sum =`],
      ],
      ["another default", 3, "changed", [`process.env.NOTES_BY ?? "nobody"`, `process.env.NOTES_FOR ?? "nobody"`]],
      ["the caller's own", 1, "system", { flags: ["--env", "NOTES_LANGUAGE"], env: { NOTES_LANGUAGE: "Dutch" } }],
    ),
    ...edits(
      "user message",
      ["another order of files", 1, "changed", [".sort();", ".sort().reverse();"]],
      ["one file less", 1, "changed", [`name.endsWith(".txt")`, `name.endsWith("a.txt")`]],
    ),
    ...edits("tool calls", ["a count", 3, "changed", ["notes: names.length }));", "notes: names.length + 1 }));"]]),
  ],
  controls: controls(
    ["another way to join", [`join("notes", name)`, "`notes/${name}`"]],
    ["written in two parts", ['stream.write("name,size\\n");', 'stream.write("name,");\nstream.write("size\\n");']],
    ["a file that is removed again", before("const mood", `await writeFile("out/tmp", "x");\nawait rm("out/tmp");\n`)],
    ["a file read once more", before("const mood", `await readFile("notes/a.txt", "utf8");\n`)],
    ["another caller's environment", { env: { NOTES_LANGUAGE: "Dutch", OTHER: "1" } }],
    [
      "the same written at once",
      [
        'await writeFile("out/draft.txt", "draft");\nawait rename("out/draft.txt", "out/new/final.txt");',
        'await writeFile("out/new/final.txt", "draft");',
      ],
    ],
  ),
};

/** Steps: 1 chat · 2 charge · 3 chat · 4 chat. */
export const shopRows: Suite = {
  program: "shop-rows.mjs",
  edits: [
    ...edits(
      "databases",
      [
        "a row more",
        null,
        "database-changed",
        before("db.close();", "db.prepare(\"INSERT INTO stock VALUES ('oar', 1, 1)\").run();\n"),
      ],
      [
        "a row less",
        null,
        "database-changed",
        before("db.close();", "db.exec(\"DELETE FROM stock WHERE item = 'sail'\");\n"),
      ],
      [
        "an index more",
        null,
        "database-changed",
        before("db.close();", 'db.exec("CREATE INDEX by_item ON sales (item)");\n'),
      ],
      [
        "a column more",
        null,
        "database-changed",
        before("db.close();", 'db.exec("ALTER TABLE sales ADD COLUMN note TEXT");\n'),
      ],
      ["a price", [2, null], ["changed"], [`"rope", 5, 900`, `"rope", 5, 901`]],
      ["another price of what is not sold", null, "database-changed", [`"sail", 1, 20_000`, `"sail", 1, 20_001`]],
      ["not rolled back", 4, "changed", [`ok ? "COMMIT" : "ROLLBACK"`, `"COMMIT"`]],
      ["a table dropped", null, "database-changed", before("db.close();", `db.exec("DROP TABLE sales");\n`)],
      [
        "a pragma of the file",
        null,
        "database-changed",
        before("db.close();", `db.exec("PRAGMA user_version = 7");\n`),
      ],
    ),
    ...edits(
      "user message",
      ["pieces left", 3, "changed", ["${left} left", "${left + 1} left"]],
      [
        "rows in another order",
        4,
        "changed",
        ["JSON.stringify(rows)", "JSON.stringify(rows.map(({ pieces, item }) => ({ pieces, item })))"],
      ],
    ),
    ...edits("system prompt", ["who sells", 1, "system", ["You sell.", "You sell ropes."]]),
    ...edits("tool calls", ["charged to cash", 2, "changed", [`to: "card"`, `to: "cash"`]]),
  ],
  controls: controls(
    ["a select more", before("const rows", `db.prepare("SELECT count(*) FROM sales").get();\n`)],
    ["statements in another form", [`db.exec("BEGIN");`, `db.prepare("BEGIN").run();`]],
    [
      "a row that comes and goes",
      before("const rows", "db.exec(\"INSERT INTO stock VALUES ('x', 1, 1); DELETE FROM stock WHERE item = 'x'\");\n"),
    ],
    ["not closed", cut("db.close();\n")],
    [
      "a table that comes and goes",
      after('db.exec(ok ? "COMMIT" : "ROLLBACK");\n', '  db.exec("CREATE TEMP TABLE t (a); DROP TABLE t");\n'),
    ],
  ),
};
