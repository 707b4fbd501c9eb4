import { controls, edits, type Suite } from "../edit.ts";

export const saysMuch: Suite = {
  program: "says-much.mjs",
  edits: [
    ...edits(
      "standard error",
      ["err one -> err two", null, "stderr-changed", ["err one", "err two"]],
      ["warn", null, "stderr-changed", ['"x");', '"y");']],
      ["raw err -> raw Err", null, "stderr-changed", ["raw err", "raw Err"]],
      ["own warning -> other warning", null, "stderr-changed", ["own warning", "other warning"]],
      ["OWN1 -> OWN2", null, "stderr-changed", ["OWN1", "OWN2"]],
      ["direct err -> direct Err", null, "stderr-changed", ["direct err", "direct Err"]],
      ['"asserted" -> "Asserted"', null, "stderr-changed", ['"asserted"', '"Asserted"']],
      ["traced -> Traced", null, "stderr-changed", ["traced", "Traced"]],
      ["own console -> own Console", null, "stderr-changed", ["own console", "own Console"]],
      ["no warning", null, "stderr-changed", ['process.emitWarning("own warning", { code: "OWN1" });', ""]],
    ),
    ...edits(
      "standard output",
      ['"partial" -> "Partial"', null, "output-changed", ['"partial"', '"Partial"']],
      [" direct\\n ->  Direct\\n", null, "output-changed", [" direct\\n", " Direct\\n"]],
      ["table", null, "output-changed", ["{ a: 1 }]", "{ a: 2 }]"]],
      ['group("g") -> group("h")', null, "output-changed", ['group("g")', 'group("h")']],
      [
        "group removed",
        null,
        "output-changed",
        ['console.group("g");\nconsole.log("inner");\nconsole.groupEnd();', 'console.log("g");\nconsole.log("inner");'],
      ],
      ['count("c") -> count("d")', null, "output-changed", ['count("c")', 'count("d")']],
      ["depth: 0 -> depth: 1", null, "output-changed", ["depth: 0", "depth: 1"]],
      ["255, 254, 10 -> 255, 253, 10", null, "output-changed", ["255, 254, 10", "255, 253, 10"]],
      ["31mred -> 32mred", null, "output-changed", ["31mred", "32mred"]],
      ['"exit", c -> "exit!", c', null, "output-changed", ['"exit", c', '"exit!", c']],
      ['"late" -> "Late"', null, "output-changed", ['"late"', '"Late"']],
      ['"handled" -> "Handled"', null, "output-changed", ['"handled"', '"Handled"']],
      ["more output", null, "output-changed", ["await t(2);", "console.log('moved'); await t(2);"]],
    ),
    ...edits(
      "calls added, removed, moved",
      ["no late tool", 3, "missing", ["await t(3);\n", ""]],
      ["no beforeExit", 3, "missing", ['process.on("beforeExit", once);', ""]],
      ["exit at once", 3, "missing", ["process.exitCode = 3;", "process.exit(3);"]],
    ),
    ...edits(
      "delays and time-outs",
      ["delay", 3, "delay-changed", ['console.log("timer"), 5', 'console.log("timer"), 6']],
      ["never ends", 3, "delay-changed", ["process.exitCode = 3;", "process.exitCode = 3; setInterval(() => {}, 50);"]],
    ),
    ...edits(
      "exit",
      ["throws at end", 3, "error", ["process.exitCode = 3;", 'process.exitCode = 3; throw new Error("end");']],
      [
        "unhandled",
        3,
        "error",
        ["process.exitCode = 3;", 'process.exitCode = 3; void Promise.reject(new Error("unh"));'],
      ],
      [
        "kills itself",
        null,
        "exit-code-changed",
        [
          "process.exitCode = 3;",
          'process.kill(process.pid, "SIGTERM"); await new Promise((r) => setTimeout(r, 500));',
        ],
      ],
    ),
  ],
  controls: controls([
    "one write",
    ['process.stdout.write("partial");\nfs.writeSync(1, " direct\\n");', 'process.stdout.write("partial direct\\n");'],
  ]),
};
