import { after, before, controls, cut, edits, type Suite } from "../edit.ts";

const FILES = "files-changed";
const LEDGER = "ledger.json";

const bills = [
  { who: "Ida", issued: "2026-02-01", days: 30, cents: 12_050, paid: false },
  { who: "Max", issued: "2026-03-10", days: 30, cents: 900, paid: false },
  { who: "Uma", issued: "2026-01-05", days: 14, cents: 45_000, paid: false },
  { who: "Eli", issued: "2026-01-01", days: 10, cents: 100, paid: true },
];

export const houseLedger: Suite = {
  program: "house-ledger.mjs",
  files: { [LEDGER]: JSON.stringify({ today: "2026-03-20T00:00:00Z", bills }) },
  edits: [
    ...edits(
      "clock and random numbers",
      ["a day in hours of another length", [1, 2], ["changed", "stderr-changed"], ["86_400_000", "82_800_000"]],
      [
        "a date of the local time",
        [2],
        ["changed"],
        ["due(bill).toISOString()", "new Date(due(bill).getTime() - 3_600_000).toISOString()"],
      ],
      [
        "a month in place of days",
        [1, 2],
        ["changed"],
        [
          "new Date(Date.parse(bill.issued) + bill.days * DAY)",
          "new Date(new Date(bill.issued).setUTCMonth(new Date(bill.issued).getUTCMonth() + 2))",
        ],
      ],
      [
        "today by the clock",
        [null, 1, 2],
        ["draw", "changed", "stderr-changed"],
        ["new Date(ledger.today)", "new Date()"],
      ],
      [
        "late from the day itself on",
        [1, null],
        ["changed", "stderr-changed"],
        ["due(bill) < today", "due(bill) <= new Date(+today + 40 * DAY)"],
      ],
    ),
    ...edits(
      "user message",
      ["another currency", 1, "changed", [`currency: "CHF"`, `currency: "EUR"`]],
      ["another language of numbers", 1, "changed", [`"de-CH"`, `"de-DE"`]],
      ["names joined otherwise", 1, "changed", [`.join(", ")`, `.join(" and ")`]],
      ["cents in place of units", 1, "changed", ["total / 100", "total"]],
      ["the largest bill last", [6], ["changed"], ["b.cents - a.cents", "a.cents - b.cents"]],
      ["an unsorted list", [6, null], ["changed", FILES], cut("copy.bills.sort((a, b) => b.cents - a.cents);\n")],
    ),
    ...edits(
      "control flow",
      ["paid ones are reminded", [1], ["changed"], ["!bill.paid && ", ""]],
      [
        "only the first is reminded",
        [3],
        ["missing"],
        ["for (const bill of late) {", "for (const bill of late.slice(0, 1)) {"],
      ],
      [
        "the highest first",
        [2, 3],
        ["changed", "reordered"],
        ["for (const bill of late) {", "for (const bill of late.toReversed()) {"],
      ],
      ["a bound of a sum", [1], ["changed"], ["sum + cents, 0)", "sum + cents, 1)"]],
    ),
    ...edits(
      "standard error",
      [
        "days rounded otherwise",
        null,
        "stderr-changed",
        ["Math.round((today - due(bill)) / DAY)", "Math.round((today - due(bill)) / DAY) + 1"],
      ],
      ["a format's place", null, "stderr-changed", ["(%d days late)", "(%s days)"]],
      [
        "to a console of its own",
        null,
        ["output-changed", "stderr-changed"],
        [`console.error("%s (`, `new console.Console(process.stdout).error("%s (`],
      ],
      [
        "not in production",
        null,
        "stderr-changed",
        [`  console.error("%s (`, `  if (process.argv.length > 2) console.error("%s (`],
      ],
    ),
    ...edits(
      "exit",
      ["a bound of the code", null, "exit-code-changed", ["Math.min(late.length, 9)", "Math.min(late.length, 1)"]],
      [
        "the code by exit()",
        null,
        "exit-code-changed",
        ["process.exitCode = Math.min(late.length, 9)", "process.exit(0)"],
      ],
      [
        "a code of a listener",
        null,
        "exit-code-changed",
        after("process.exitCode = Math.min(late.length, 9);\n", `process.on("exit", () => (process.exitCode = 0));\n`),
      ],
      [
        "a rejection nobody handles",
        [null, 6],
        ["error", "exit-code-changed", "stderr-changed"],
        after("process.exitCode = Math.min(late.length, 9);\n", `void Promise.reject(new Error("late"));\n`),
      ],
    ),
    ...edits(
      "files",
      ["indentation", null, FILES, ["stringify(copy, null, 1)", "stringify(copy, null, 2)"]],
      [
        "a replacer",
        null,
        FILES,
        ["stringify(copy, null, 1)", `stringify(copy, (key, value) => (key === "paid" ? undefined : value), 1)`],
      ],
      ["without the last line end", null, FILES, ["null, 1)}\\n`", "null, 1)}`"]],
      [
        "the original in place of its copy",
        [null, 6],
        [FILES, "changed", "error", "missing"],
        [
          "const copy = structuredClone(ledger);",
          "const copy = { ...ledger, bills: ledger.bills.map(({ who, cents }) => ({ who, cents })) };",
        ],
      ],
      ["no history", null, FILES, cut("copy.history = [...(copy.history ?? []), { status, polls, total }];\n")],
      ["a reminder counts twice", null, FILES, ["?? 0) + 1", "?? 0) + 2"]],
      [
        "the temporary file stays",
        null,
        [FILES],
        [`await rename("ledger.tmp", "ledger.json");`, `await writeFile("ledger.json", await readFile("ledger.tmp"));`],
      ],
      [
        "a rename to another name",
        null,
        FILES,
        [`rename("ledger.tmp", "ledger.json")`, `rename("ledger.tmp", "ledger-2.json")`],
      ],
      [
        "history holds one more field",
        null,
        FILES,
        ["{ status, polls, total }", "{ status, polls, total, late: late.length }"],
      ],
    ),
    ...edits(
      "delays and time-outs",
      ["a slower interval", [null, 4, 3, 5], "delay-changed", ["this.#look(), 15)", "this.#look(), 150)"]],
      ["the time-out of the client", [1, null], "delay-changed", ["timeout: 20_000", "timeout: 60_000"]],
      [
        "an interval that is not cleared",
        null,
        ["unfinished", "no-progress", "output-changed", "delay-changed", "order", "extra"],
        cut("      clearInterval(this.#timer);\n"),
      ],
    ),
    ...edits(
      "calls added, removed, moved",
      [
        "polls till the third",
        [null, 6],
        ["extra", "exhausted", "missing", "changed", "reordered"],
        ["if (poll === 2)", "if (poll === 3)"],
      ],
      ["ready at the first poll", [5, 6], ["missing", "changed", "reordered"], ["if (poll === 2)", "if (poll === 1)"]],
      [
        "reminders all at once",
        [3, 2],
        ["reordered"],
        [
          "for (const bill of late) {\n  const sent = await remind({ who: bill.who, on: due(bill).toISOString().slice(0, 10), cents: bill.cents });",
          "const all = await Promise.all(late.map((bill) => remind({ who: bill.who, on: due(bill).toISOString().slice(0, 10), cents: bill.cents })));\nfor (const [at, bill] of late.entries()) {\n  const sent = all[at];",
        ],
      ],
    ),
    ...edits(
      "standard output",
      [
        "a listener less",
        null,
        "output-changed",
        cut('poll.on("wait", (status) => console.log(format("waits: %s", status)));\n'),
      ],
      [
        "a listener twice",
        null,
        "output-changed",
        [
          'poll.on("wait", (status) => console.log(format("waits: %s", status)));\n',
          'for (const _ of [1, 2]) poll.on("wait", (status) => console.log(format("waits: %s", status)));\n',
        ],
      ],
      ["another format", null, "output-changed", [`"waits: %s"`, `"waits: %j"`]],
    ),
    ...edits("error handling", [
      "another event",
      [null, 6, 5],
      ["unfinished", "missing", "no-progress", "output-changed"],
      [`this.emit("ready"`, `this.emit("done"`],
    ]),
  ],
  controls: controls(
    [
      "sums by a loop",
      [
        "late.reduce((sum, { cents }) => sum + cents, 0)",
        "(() => { let sum = 0; for (const { cents } of late) sum += cents; return sum; })()",
      ],
    ],
    [
      "a date parsed otherwise",
      [
        "new Date(Date.parse(bill.issued) + bill.days * DAY)",
        "new Date(new Date(bill.issued).getTime() + bill.days * DAY)",
      ],
    ],
    [
      "a sorted copy",
      [
        "copy.bills.sort((a, b) => b.cents - a.cents);",
        "copy.bills = copy.bills.toSorted((a, b) => b.cents - a.cents);",
      ],
    ],
    ["a clone by JSON", ["structuredClone(ledger)", "JSON.parse(JSON.stringify(ledger))"]],
    [
      "an error line built by hand",
      [
        `console.error("%s (%d days late)", sent, Math.round((today - due(bill)) / DAY));`,
        "process.stderr.write(`${sent} (${Math.round((today - due(bill)) / DAY)} days late)\\n`);",
      ],
    ],
    [
      "another name of the temporary file",
      [`await writeFile("ledger.tmp"`, `await writeFile("ledger.new"`],
      [`rename("ledger.tmp"`, `rename("ledger.new"`],
    ],
    ["a listener by once", [`poll.on("wait"`, `poll.once("wait"`]],
    ["the code set twice", before("process.exitCode =", "process.exitCode = 7;\n")],
    [
      "read at once",
      [`JSON.parse(await readFile("ledger.json", "utf8"))`, `JSON.parse(String(await readFile("ledger.json")))`],
    ],
    [
      "numbers formatted by the number",
      ["money.format(total / 100)", `(total / 100).toLocaleString("de-CH", { style: "currency", currency: "CHF" })`],
    ],
    ["a day in the state, which the recorded run found otherwise", { file: LEDGER }, ["2026-03-20T", "2026-05-20T"]],
    ["white space in the state", { file: LEDGER }, [`{"today"`, `{ "today"`]],
    ["another folder of temporary files of the caller", { env: { TMPDIR: "/var/tmp" } }],
  ),
};
