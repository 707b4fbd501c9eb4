import { after, before, controls, cut, edits, type Suite } from "../edit.ts";

export const draws: Suite = {
  program: "draws.mjs",
  edits: [
    ...edits(
      "clock and random numbers",
      ["a random number more", null, "draw", before("const seat", "Math.random();\n")],
      [
        "a random number more at the end",
        null,
        "draw",
        after("await ask(`Done at ${Date.now()}`);\n", "Math.random();\n"),
      ],
      ["an id more", [null, 1], ["draw", "changed"], before("const id", "randomUUID();\n")],
      ["a reading of the clock more", null, "draw", before("const seat", "Date.now();\n")],
      [
        "another clock",
        null,
        "draw",
        [
          "const took = performance.now() - started;",
          "const took = performance.now() - started + 0 * Number(process.hrtime.bigint());",
        ],
      ],
      [
        "a random number of another kind",
        [2, null],
        ["draw", "changed"],
        ["Math.floor(Math.random() * 40)", "randomInt(40)"],
      ],
      ["bytes more", [null], ["draw", "output-changed"], ["randomBytes(4)", "randomBytes(8)"]],
      ["another range", [null], ["draw", "output-changed"], ["randomInt(100)", "randomInt(1000)"]],
      ["a constant in place of an id", 1, "changed", ["const id = randomUUID();", `const id = "fixed";`]],
      ["a random number used otherwise", 2, "changed", ["Math.random() * 40", "Math.random() * 400000"]],
      ["a day more", 1, "changed", [".slice(0, 10)", ".slice(0, 11)"]],
      [
        "a reading in a call",
        [4, null],
        ["changed", "draw"],
        ["Done at ${Date.now()}", "Done at ${new Date().toISOString()}"],
      ],
    ),
    ...edits(
      "delays and time-outs",
      ["a longer sleep", [null, 3], "delay-changed", ["sleep(15)", "sleep(20)"]],
      ["a shorter timer", [null, 4], "delay-changed", ['later"), 25)', 'later"), 24)']],
      [
        "a much longer timer",
        [null, 4],
        ["delay-changed", "order", "unfinished"],
        ['later"), 25)', 'later"), 25_000)'],
      ],
      ["no sleep", [null, 3], ["delay-changed", "unfinished", "missing", "order"], cut("await sleep(15);\n")],
      ["a sleep more", [null, 3], ["delay-changed", "order", "extra"], before("const started", "await sleep(5);\n")],
      [
        "a timer more",
        [null, 4],
        ["delay-changed", "order", "extra"],
        before('setTimeout(() => console.log("later")', "setTimeout(() => {}, 10);\n"),
      ],
      [
        "no timer",
        null,
        ["output-changed", "unfinished", "delay-changed"],
        cut('setTimeout(() => console.log("later"), 25);\n'),
      ],
    ),
    ...edits("tool calls", [
      "another argument",
      2,
      "changed",
      ["book({ id, day, seat })", "book({ id, day, seat: String(seat) })"],
    ]),
  ],
  controls: controls(
    ["a reading of the clock that is gone", cut("const took = performance.now() - started;\n"), ["took > 0", "true"]],
    [
      "the day in another way",
      ["new Date().toISOString().slice(0, 10)", 'new Date(Date.now()).toISOString().split("T")[0]'],
    ],
    ["a random number rounded in another way", ["Math.floor(Math.random() * 40)", "Math.trunc(Math.random() * 40)"]],
    ["another time zone", { env: { TZ: "Pacific/Auckland" } }],
    [
      "a clock and an id exchanged",
      [
        "const id = randomUUID();\nconst day = new Date().toISOString().slice(0, 10);",
        "const day = new Date().toISOString().slice(0, 10);\nconst id = randomUUID();",
      ],
    ],
    ["another locale", { env: { LC_ALL: "fr_FR.UTF-8", LANG: "fr_FR.UTF-8" } }],
    ["a timer's number in a variable", ["await sleep(15)", "const pause = 15;\nawait sleep(pause)"]],
  ),
};

export const patience: Suite = {
  program: "patience.mjs",
  edits: [
    ...edits(
      "retries",
      [
        "no retry of its own",
        2,
        ["missing"],
        ["tries = 3", "tries = 1"],
        [
          'console.log((await withRetry("first [fail once]")).length > 0);',
          'console.log((await withRetry("first [fail once]").catch(() => "x")).length > 0);',
        ],
      ],
      [
        "a retry after success",
        [3],
        ["extra", "changed"],
        ["      return await post(content);", "      await post(content);\n      return await post(content);"],
      ],
      ["no retry of the SDK", 8, ["missing"], ["maxRetries: 2", "maxRetries: 0"]],
      ["a longer back-off", [null, 2], ["delay-changed"], ["sleep(10 * attempt)", "sleep(20 * attempt)"]],
      [
        "no back-off",
        [null, 2],
        ["delay-changed", "unfinished", "order", "reordered"],
        cut("      await sleep(10 * attempt);\n"),
      ],
      [
        "a retry of the refused",
        [4],
        // the wait before the retry comes first
        ["extra", "changed", "delay-changed"],
        [`await post("second [refuse]")`, `await withRetry("second [refuse]")`],
      ],
      [
        "another question in the retry",
        2,
        "changed",
        ["      return await post(content);", "      return await post(attempt > 1 ? `${content}!` : content);"],
      ],
    ),
    ...edits(
      "delays and time-outs",
      ["a longer deadline", [null, 6], "delay-changed", ["timeout(2000)", "timeout(3000)"]],
      [
        "no deadline",
        [null, 6],
        ["delay-changed", "unfinished"],
        ['post("fifth", deadline)', 'post("fifth")'],
        ["const deadline = AbortSignal.timeout(2000);\n", ""],
      ],
      ["a shorter timer that is cleared", [null, 7], "delay-changed", ["30_000", "20_000"]],
      [
        "time-out of the SDK",
        [null, 7],
        ["delay-changed", "params"],
        ["maxRetries: 2", "maxRetries: 2, timeout: 30_000"],
      ],
      [
        "time-out of one call of the SDK",
        [null, 7],
        ["delay-changed", "params"],
        [
          '  messages: [{ role: "user", content: "sixth [fail once]" }],\n}',
          '  messages: [{ role: "user", content: "sixth [fail once]" }],\n}, { timeout: 5_000 }',
        ],
      ],
      [
        "a deadline for another call",
        [null, 4],
        ["delay-changed"],
        [`post("third [slow]")`, `post("third [slow]", AbortSignal.timeout(9000))`],
      ],
    ),
    ...edits(
      "error handling",
      [
        "an error is swallowed",
        null,
        "output-changed",
        ["  console.log(`refused: ${error.message}`);", "  void error;"],
      ],
      ["an error is told otherwise", null, "output-changed", ["refused: ", "failed: "]],
      [
        "an error is not handled",
        [4, null],
        ["error", "missing", "exit-code-changed"],
        [
          'try {\n  await post("second [refuse]");\n} catch (error) {\n  console.log(`refused: ${error.message}`);\n}',
          'await post("second [refuse]");',
        ],
      ],
      [
        "an error becomes an answer",
        null,
        "output-changed",
        [
          "if (!response.ok) throw new Error(`status ${response.status}`);",
          'if (response.status === 400) return "fine";\n  if (!response.ok) throw new Error(`status ${response.status}`);',
        ],
      ],
      [
        "the call that is refused is left out",
        3,
        ["missing", "changed"],
        [`  await post("second [refuse]");`, `  throw new Error("status 400");`],
      ],
    ),
    ...edits(
      "concurrency",
      [
        "the race's order",
        [4, 5],
        ["reordered", "changed"],
        [
          'const slow = post("third [slow]");\nconst fast = post("fourth");',
          'const fast = post("fourth");\nconst slow = post("third [slow]");',
        ],
      ],
      [
        "no race",
        [5, 4],
        ["missing", "order", "reordered", "unfinished"],
        ["const slow = post(", "const slow = await post("],
      ],
      [
        "a third runner",
        [6],
        ["extra", "changed"],
        ["Promise.race([slow, fast])", 'Promise.race([slow, fast, post("runner")])'],
      ],
      [
        "all in place of the first",
        null,
        ["output-changed"],
        ["const first = await Promise.race([slow, fast]);", "const first = (await Promise.all([slow, fast]))[0];"],
      ],
    ),
    ...edits(
      "results not waited for",
      ["the slow one", [4, 6], ["unfinished", "order", "reordered"], cut("await slow;\n")],
      [
        "the last tool",
        [9, null],
        ["unfinished", "output-changed"],
        ["console.log(await alarm(", "console.log(typeof alarm("],
      ],
    ),
    ...edits("tool calls", ["another argument", 9, "changed", [`text: "done"`, `text: "over"`]]),
  ],
  controls: controls(
    ["more tries where two are enough", ["tries = 3", "tries = 5"]],
    ["more retries of the SDK", ["maxRetries: 2", "maxRetries: 4"]],
    ["a condition written otherwise", ["if (!response.ok)", "if (response.status >= 400)"]],
    ["promises in a list", ["Promise.race([slow, fast])", "Promise.race([slow, fast].slice())"]],
  ),
};
