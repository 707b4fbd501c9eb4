import { after, before, controls, cut, edits, type Suite } from "../edit.ts";

/** Steps: 1 list · 2, 3 drafts · 4, 5 mail · 6 draft that fails, 7 draft · 8 retry of 6 · 9, 10 mail · 11 report. */
export const mailBatch: Suite = {
  program: "mail-batch.mjs",
  edits: [
    ...edits(
      "URL",
      ["a limit in the query", 1, "changed", ["limit=4", "limit=5"]],
      ["another resource", 11, "changed", ["/reports`", "/report`"]],
    ),
    ...edits("parameters", ["warmer", [2, 3], "params", ["temperature: 0.2", "temperature: 0.3"]]),
    ...edits(
      "user message",
      ["one name", 3, "changed", [`"Ben"`, `"Bea"`]],
      ["the last name", 7, "changed", [`"Dan"`, `"Don"`]],
      ["a field of the list", [2, 3], "changed", ["list.status", "list.sky"]],
    ),
    ...edits(
      "tool calls",
      [
        "a copy for one",
        [4, 5],
        "changed",
        ["mail({ to: batch[index], text })", `mail({ to: batch[index], text, copy: index === 1 })`],
      ],
      ["a trimmed text", [4, 9], "changed", ["to: batch[index], text }", "to: batch[index], text: text.slice(1) }"]],
    ),
    ...edits(
      "retries",
      ["no retries", [8, 6, null, 9, 7], ["missing", "error"], ["retried(2,", "retried(0,"]],
      ["a longer wait", [8, 6, 7, null], "delay-changed", ["setTimeout(done, 15)", "setTimeout(done, 25)"]],
      [
        "no wait",
        [8, 6, 7, null],
        ["delay-changed", "reordered", "order", "unfinished"],
        ["      await new Promise((done) => setTimeout(done, 15));\n", ""],
      ],
    ),
    ...edits(
      "concurrency",
      [
        "one after the other",
        [2, 3],
        ["order", "unfinished", "missing"],
        ["await Promise.all(batch.map(draft))", "[]"],
        [
          "for (const [index, text] of texts",
          "for (const name of batch) texts.push(await draft(name));\n  for (const [index, text] of texts",
        ],
      ],
      [
        "batches of three",
        [4, 5, 6],
        ["extra", "reordered", "missing", "changed"],
        ["at += 2", "at += 3"],
        ["at + 2)", "at + 3)"],
      ],
      [
        "batches of one",
        [3, 4, 2],
        ["reordered", "missing", "changed", "unfinished", "order"],
        ["at += 2", "at += 1"],
        ["at + 2)", "at + 1)"],
      ],
    ),
    ...edits(
      "calls added, removed, moved",
      ["the last name left out", [7, 9, 10], ["missing"], [`, "Dan"]`, "]"]],
      ["a name more", [11, 10], ["extra", "reordered"], [`"Dan"]`, `"Dan", "Eve"]`]],
      [
        "no report",
        11,
        ["missing", "error"],
        [
          `const { path } = await (\n  await fetch(\`\${process.env.API_URL}/reports\``,
          `const { path } = await (\n  await (async () => ({ json: () => ({ path: "/reports" }) }))(\`\${process.env.API_URL}/reports\``,
        ],
      ],
    ),
    ...edits("ids", ["another id in a body", 11, "changed", ["of: list.id", "of: list.run"]]),
    ...edits("results not waited for", [
      "mail not waited for",
      [4, 5],
      ["unfinished", "order", "reordered", "missing"],
      ["sent.push(await mail(", "sent.push(mail("],
    ]),
  ],
  controls: controls(
    ["names in a variable of their own", ["batch.map(draft)", "batch.map((name) => draft(name))"]],
    ["a loop by slices", ["names.slice(at, at + 2)", "names.filter((_, i) => i >= at && i < at + 2)"]],
    ["a retry more that is not needed", ["retried(2,", "retried(3,"]],
    ["a field's default written", ["mail({ to: batch[index], text })", "mail({ text, to: batch[index] })"]],
    ["a comment", before("const sent", "// letters\n")],
  ),
};

/** Steps: 1 stream by hand · 2 helper · 3 stream left · 4 publish · 5 question. */
export const newsStream: Suite = {
  program: "news-stream.mjs",
  edits: [
    ...edits(
      "headers",
      ["accepts anything", 1, ["params", "changed"], [`accept: "text/event-stream"`, `accept: "*/*"`]],
      [
        "a header more",
        1,
        ["params", "changed"],
        [`accept: "text/event-stream"`, `accept: "text/event-stream", "x-beta": "1"`],
      ],
    ),
    ...edits("bookkeeping fields", ["no usage", 2, ["params"], cut("  stream_options: { include_usage: true },\n")]),
    ...edits("parameters", [
      "no stream by hand",
      1,
      ["params"],
      [
        `stream: true, messages: [{ role: "user", content: "[drip] News?"`,
        `messages: [{ role: "user", content: "[drip] News?"`,
      ],
    ]),
    ...edits(
      "system prompt",
      ["titles in short", 2, "system", ["You write titles.", "You write short titles."]],
      [
        "no system prompt",
        2,
        ["system", "changed", "history"],
        cut(`    { role: "system", content: "You write titles." },\n`),
      ],
    ),
    ...edits(
      "user message",
      ["text without the last part", 2, "changed", ["A title for: ${text}", "A title for: ${text.slice(0, -1)}"]],
      ["carriage", 3, "changed", ["A longer one.", "A longer one!"]],
    ),
    ...edits(
      "results not waited for",
      [
        "leaves the stream at once",
        1,
        ["unfinished", "order", "changed"],
        [`  const lines = (rest`, `  if (text !== "") break;\n  const lines = (rest`],
      ],
      [
        "reads the left stream to its end",
        3,
        ["order", "unfinished"],
        ["if (chunk.choices[0]?.delta?.content) break;", "void chunk;"],
      ],
      [
        "the helper is not waited for",
        [2, 3],
        ["unfinished", "order", "reordered", "changed"],
        ["const { usage } = await helper.finalChatCompletion();", "const usage = { total_tokens: 9 };"],
      ],
    ),
    ...edits(
      "tool calls",
      ["one word less", 4, "changed", [`text.split(" ").length }`, `text.split(" ").length - 1 }`]],
      [
        "publish after the question",
        [4, 5],
        ["reordered", "missing"],
        ['console.log(await publish({ title: text.slice(0, 12), words: text.split(" ").length }));\n', ""],
        after(
          "console.log(last.choices.length, deltas > 0);\n",
          `console.log(await publish({ title: text.slice(0, 12), words: text.split(" ").length }));\n`,
        ),
      ],
    ),
    ...edits("standard output", ["another output", null, "output-changed", ["deltas > 0)", "deltas > 100)"]]),
    ...edits("calls added, removed, moved", [
      "the left stream is not begun",
      3,
      ["missing"],
      [
        `const left = await client.chat.completions.create({\n  model: "gpt-4.1-nano",\n  stream: true,\n  messages: [{ role: "user", content: "[drip] A longer one." }],\n});`,
        "const left = [];",
      ],
    ]),
  ],
  controls: controls(
    ["another split", [`.split("\\n");\n  rest`, `.split(/\\n/);\n  rest`]],
    ["a listener more", before("let deltas", `helper.on("chunk", () => {});\n`)],
    [
      "body and headers in another order",
      [
        `"content-type": "application/json", accept: "text/event-stream"`,
        `accept: "text/event-stream", "content-type": "application/json"`,
      ],
    ],
    [
      "returns instead of a break",
      [
        "for await (const chunk of left) {\n  if (chunk.choices[0]?.delta?.content) break;\n}",
        "await (async () => {\n  for await (const chunk of left) if (chunk.choices[0]?.delta?.content) return;\n})();",
      ],
    ],
  ),
};

/** Of the process: 1 last question. Of each agent `research`: 1 look_up · 2 chat. Of `judge`: 1 chat. */
export const threeAgents: Suite = {
  program: "three-agents.mjs",
  edits: [
    ...edits(
      "other runs of the process",
      ["a prompt in each agent", [2, null, 1], "changed", ["Explain ${found}", "Explain me ${found}"]],
      [
        "a prompt in one agent",
        [2, null, 1],
        "changed",
        ["Explain ${found}", 'Explain ${found}${topic === "moss" ? "!" : ""}'],
      ],
      [
        "another depth in a tool",
        [1, null],
        "changed",
        ["lookUp({ topic, depth })", 'lookUp({ topic, depth: depth + (topic === "glass" ? 1 : 0) })'],
      ],
      ["the judge's model", [1, null], "params", [`"gpt-4.1");`, `"gpt-4.1-mini");`]],
      ["an agent less", [null, 1], ["missing", "changed"], [`"moss", "glass"]`, `"moss"]`]],
      ["an agent more", [null, 1], ["extra", "changed"], [`"glass"]`, `"glass", "rope"]`]],
      ["no judge", [null, 1], ["missing", "changed"], ["const isGood = await judge(rows);", "const isGood = true;"]],
      [
        "another result",
        [null, 1],
        ["output-changed", "changed"],
        ["return { topic, words:", "return { topic, more: 1, words:"],
      ],
      [
        "another argument",
        [null, 1],
        ["changed", "input-changed", "missing"],
        ["research({ topic, depth })", `research({ topic, depth, hurry: topic === "tides" })`],
      ],
      [
        "a longer wait in an agent",
        [2, null],
        "delay-changed",
        ["setTimeout(done, 5)", `setTimeout(done, topic === "moss" ? 6 : 5)`],
      ],
    ),
    ...edits("user message", ["the last question", 1, "changed", ["Done with", "Finished with"]]),
  ],
  controls: controls(
    [
      "a map by entries",
      [
        "topics.map((topic, depth) => research({ topic, depth }))",
        "[...topics.entries()].map(([depth, topic]) => research({ topic, depth }))",
      ],
    ],
    ["a default model written", ["await ask(`Explain ${found}`)", 'await ask(`Explain ${found}`, "gpt-4.1-nano")']],
    ["words counted otherwise", [`text.split(" ").length };`, `text.split(/ /).length };`]],
    ["microtasks more", before("  const text = await ask(`Explain", "  await null;\n")],
  ),
};
