import { after, before, controls, cut, edits, type Suite } from "../edit.ts";

/** Steps: 1, 2, 3 beats · 4 chat given up · 5 chat · 6 page · 7 chat. */
export const nightWatch: Suite = {
  program: "night-watch.mjs",
  edits: [
    ...edits(
      "delays and time-outs",
      ["a slower interval", [1, null], "delay-changed", ["}, 30);", "}, 31);"]],
      ["given up later", [4, null], "delay-changed", ["sleep(25)", "sleep(26)"]],
      ["a wait more", [5, null], ["delay-changed", "extra"], after("console.log(outcome);\n", "await sleep(1);\n")],
      [
        "a wait less",
        [5, null, 4],
        ["delay-changed", "unfinished", "missing"],
        cut("await sleep(5 + Math.floor(Math.random() * 10));\n"),
      ],
      ["a longer race", [7, null], "delay-changed", ["sleep(5_000", "sleep(6_000"]],
      ["more jitter", [5, null], "delay-changed", ["Math.random() * 10", "Math.random() * 1000 + 11"]],
    ),
    ...edits(
      "calls added, removed, moved",
      [
        "a beat more",
        [4],
        ["extra"],
        ["if (beats.length === 3) return", "if (beats.length === 4) return"],
        ["if (beats.length === 3 &&", "if (beats.length === 4 &&"],
      ],
      [
        "a beat less",
        [3],
        ["missing"],
        ["if (beats.length === 3) return", "if (beats.length === 2) return"],
        ["if (beats.length === 3 &&", "if (beats.length === 2 &&"],
      ],
    ),
    ...edits(
      "results not waited for",
      ["not given up", 4, ["unfinished", "order"], cut("stop.abort();\n")],
      ["given up at once", [4, null], ["unfinished", "missing", "delay-changed", "order"], ["await sleep(25);\n", ""]],
    ),
    ...edits(
      "standard error",
      ["another text", null, "stderr-changed", ["beats: $", "Beats: $"]],
      ["another level", null, ["stderr-changed", "output-changed"], ["console.error(`beats", "console.log(`beats"]],
      [
        "nothing at the end",
        null,
        "stderr-changed",
        cut('process.on("exit", (code) => console.error(`ends with ${code}`));\n'),
      ],
    ),
    ...edits(
      "exit",
      ["another code", null, ["exit-code-changed", "stderr-changed"], ["? 4 : 5", "? 6 : 5"]],
      [
        "an uncaught error at the end",
        [null],
        ["error", "exit-code-changed", "stderr-changed"],
        after("process.exitCode = last === 1 ? 4 : 5;\n", `throw new Error("over");\n`),
      ],
      ["exits before the last question", 7, ["missing"], before("const last =", "process.exit(4);\n")],
      [
        "exits at once where it ended by itself",
        null,
        ["exit-code-changed", "stderr-changed"],
        after("process.exitCode = last === 1 ? 4 : 5;\n", "process.exit(0);\n"),
      ],
    ),
    ...edits("error handling", [
      "the error's name",
      [5, null],
      ["changed", "output-changed"],
      ["error.constructor.name", "error.name"],
    ]),
    ...edits("tool calls", ["the level", 6, "changed", ["? 2 : 1", "? 3 : 1"]]),
    ...edits("clock and random numbers", [
      "a draw more",
      [5, null],
      ["draw", "delay-changed"],
      ["Math.floor(Math.random() * 10)", "Math.floor(Math.random() * Math.random() * 10)"],
    ]),
  ],
  controls: controls(
    ["an interval by another name", ["const timer = setInterval(", "const timer = globalThis.setInterval("]],
    [
      "a signal of its own",
      ["await sleep(25);", "await sleep(25, undefined, { signal: new AbortController().signal });"],
    ],
    ["a reason of the abort that nobody reads", ["stop.abort();", `stop.abort(new Error("enough"));`]],
    ["an unreferenced way", ["{ ref: false }", "{ ref: !true }"]],
    ["written by the stream", ["console.log(outcome);", "process.stdout.write(`${outcome}\\n`);"]],
  ),
};

/** Steps: 1 plain · 2 signed · 3 request · 4 upload · 5 head · 6 chat. */
export const keyDesk: Suite = {
  program: "key-desk.mjs",
  edits: [
    ...edits(
      "headers",
      ["another tenant", 1, "changed", [`"x-tenant": "north"`, `"x-tenant": "south"`]],
      ["a value less in a list", 1, "changed", cut(`common.append("x-trail", "two");\n`)],
      [
        "values in another order",
        1,
        "changed",
        [
          `common.append("x-trail", "one");\ncommon.append("x-trail", "two");`,
          `common.append("x-trail", "two");\ncommon.append("x-trail", "one");`,
        ],
      ],
      ["another token", 2, "changed", ["token-of-mine-1", "token-of-mine-2"]],
      ["a charset", 2, "changed", ["text/plain; charset=utf-8", "text/plain"]],
      ["another cookie", 3, "changed", ["session=blue", "session=red"]],
      ["a cookie more", 3, "changed", ["theme=dark", "theme=dark; tab=2"]],
      ["another precondition", 3, "changed", [`'"v1"'`, `'"v2"'`]],
      ["no precondition", 3, "changed", cut(`, "if-match": '"v1"'`)],
      ["another organization", 6, ["params", "changed"], ["org-one", "org-two"]],
      ["another custom header", 6, ["params", "changed"], [`"x-request-from": "desk"`, `"x-request-from": "shop"`]],
      ["a header by another name", 6, ["params", "changed"], ["x-request-from", "x-request-of"]],
      ["authorization taken away", 2, "changed", cut(`      ["authorization", "Bearer token-of-mine-1"],\n`)],
    ),
    ...edits(
      "bodies",
      ["a field of the form", 3, "changed", [`n: "1"`, `n: "2"`]],
      ["another file's name", 4, "changed", [`"file.txt");`, `"file.md");`]],
      ["another file's text", 4, "changed", ["the file's text", "the file's words"]],
      ["another title", 4, "changed", ["A title", "The title"]],
      ["another type of the file", 4, "changed", [`{ type: "text/plain" }), "file`, `{ type: "text/html" }), "file`]],
      ["another text", 2, "changed", [`body: "signed text"`, `body: "signed texts"`]],
    ),
    ...edits(
      "URL",
      ["another method", [5], ["changed", "missing", "extra"], [`method: "HEAD"`, `method: "GET"`]],
      ["another method with a body", [2], ["changed", "missing", "extra"], [`method: "PUT"`, `method: "PATCH"`]],
      ["a query", 3, "changed", ["?of=${a.length}", "?of=${b.length}"]],
    ),
    ...edits("concurrency", [
      "two at once",
      [2, 3, 5],
      ["reordered", "changed", "order", "missing"],
      ['const head = await fetch(`${API_URL}/head`, { method: "HEAD" });\n', ""],
      before("const b = await as(", 'const head = await fetch(`${API_URL}/head`, { method: "HEAD" });\n'),
    ]),
  ],
  controls: controls(
    [
      "headers as a list",
      [
        `new Headers({ "x-tenant": "north", accept: "application/json" })`,
        `new Headers([["accept", "application/json"], ["X-Tenant", "north"]])`,
      ],
    ],
    ["a form as a text", [`new URLSearchParams({ kind: "form", n: "1" })`, `new URLSearchParams("kind=form&n=1")`]],
    ["a request cloned", ["await as(await fetch(request))", "await as(await fetch(request.clone()))"]],
    ["a blob in two pieces", [`new Blob(["the file's text"]`, `new Blob(["the file's ", "text"]`]],
    ["a header's name in capitals", [`"openai-organization"`, `"OpenAI-Organization"`]],
    ["a method in small letters", [`method: "PUT"`, `method: "put"`]],
    ["a URL object", ["fetch(`${API_URL}/head`,", "fetch(new URL(`${API_URL}/head`),"]],
  ),
};
