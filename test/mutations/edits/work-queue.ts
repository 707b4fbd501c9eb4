import { controls, cut, edits, type Suite } from "../edit.ts";

export const workQueue: Suite = {
  program: "work-queue.mjs",
  edits: [
    ...edits(
      "concurrency",
      ["three workers", [3, 4], ["extra", "changed", "reordered", "order"], ["LIMIT = 2", "LIMIT = 3"]],
      ["one worker", 2, ["reordered", "missing", "order", "changed"], ["LIMIT = 2", "LIMIT = 1"]],
      ["six workers", [3, 4], ["extra", "changed", "reordered", "order"], ["LIMIT = 2", "LIMIT = 6"]],
      [
        "the store is not waited for",
        [3, 4, 5, 6, 7, 13, null],
        ["reordered", "changed", "order", "output-changed", "unfinished"],
        [
          "results.push(await store({ job, text }));",
          "void store({ job, text }).then((result) => results.push(result));",
        ],
      ],
    ),
    ...edits(
      "control flow",
      [
        "the loop stops before the last job",
        [9, 10, 11, 12, 13],
        ["missing", "changed", "wrong-tool"],
        ["next < jobs.length)", "next < jobs.length - 1)"],
      ],
      [
        "a job is skipped",
        [2, 3, 4, 5, 6],
        ["missing", "changed", "reordered"],
        ["const job = jobs[next++];", 'const job = jobs[next++];\n    if (job === "three") continue;'],
      ],
      [
        "jobs from the end",
        [1, 10],
        ["changed", "reordered"],
        ["const job = jobs[next++]", "const job = jobs.at(-1 - next++)"],
      ],
    ),
    ...edits(
      "user message",
      ["a job renamed", [3, 4, 5, 6, 7], "changed", [`"four"`, `"fourth"`]],
      ["the words", 1, "changed", ["Do job", "Do the job"]],
      ["the report", 13, "changed", ["Report on ${results.length}", "Report on all ${results.length}"]],
    ),
    ...edits(
      "tool calls",
      ["another argument", 3, "changed", ["store({ job, text })", 'store({ job, text: text.trim() + " " })']],
      [
        "one argument of one job",
        [5, 6, 7, 8, 9, 10, 11, 12],
        "changed",
        ["store({ job, text })", 'store({ job: job === "six" ? "6" : job, text })'],
      ],
      [
        "never for one job",
        [5, 6, 7, 8, 9, 10, 11, 12],
        ["missing", "changed", "reordered"],
        [
          "results.push(await store({ job, text }));",
          'if (job !== "five") results.push(await store({ job, text }));\n    else results.push("five: true");',
        ],
      ],
    ),
    ...edits(
      "calls added, removed, moved",
      ["a seventh job", [11, 12, 13], ["extra", "changed"], [`"six"]`, `"six", "seven"]`]],
      ["no report", 13, "missing", cut("console.log(await complete(`Report on ${results.length} jobs.`));\n")],
    ),
    ...edits(
      "results not waited for",
      [
        "the report is not awaited",
        [13, null],
        ["unfinished", "output-changed"],
        ["console.log(await complete(`Report", "console.log(typeof complete(`Report"],
      ],
      [
        "the body of the report is not read",
        [13, null],
        ["unfinished", "output-changed"],
        [
          "return (await response.json())",
          'if (content.startsWith("Report")) return "";\n  return (await response.json())',
        ],
      ],
    ),
    ...edits("standard output", [
      "in the order of jobs done",
      null,
      "output-changed",
      ["results.toSorted()", "results.toSorted().reverse()"],
    ]),
  ],
  controls: controls(
    [
      "a for loop of workers",
      [
        "await Promise.all(Array.from({ length: LIMIT }, () => worker()));",
        "const workers = [];\nfor (let n = 0; n < LIMIT; n++) workers.push(worker());\nawait Promise.all(workers);",
      ],
    ],
    ["other limits of the caller", { env: { UV_THREADPOOL_SIZE: "8" } }],
    ["a limit that is computed", ["LIMIT = 2", "LIMIT = Math.min(2, jobs.length)"]],
  ),
};
