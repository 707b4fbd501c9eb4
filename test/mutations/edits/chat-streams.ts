import { after, controls, cut, edits, type Suite } from "../edit.ts";

export const chatStreams: Suite = {
  program: "chat-streams.mjs",
  edits: [
    ...edits(
      "model",
      ["another model of the drafts", 1, "params", [`"gpt-4.1-mini"`, `"gpt-4o-mini"`]],
      ["another model of the choice", 3, "params", [`model: "gpt-4.1",`, `model: "gpt-4o",`]],
      [
        "another model of one draft",
        2,
        "params",
        [`model: "gpt-4.1-mini"`, `model: topic === "the hills" ? "gpt-4.1" : "gpt-4.1-mini"`],
      ],
    ),
    ...edits(
      "bookkeeping fields",
      ["stream_options changed", 1, "params", ["include_usage: true", "include_usage: false"]],
      ["stream_options removed", 1, "params", cut("    stream_options: { include_usage: true },\n")],
      [
        "stream_options added",
        3,
        "params",
        after(`  model: "gpt-4.1",\n`, "  stream_options: { include_usage: true },\n"),
      ],
      ["stored", 3, "params", after(`  model: "gpt-4.1",\n`, "  store: true,\n")],
    ),
    ...edits(
      "parameters",
      ["temperature of one draft", 2, "params", ["temperature: 1,", `temperature: topic === "the hills" ? 0 : 1,`]],
      ["temperature removed", 1, "params", cut("    temperature: 1,\n")],
      [
        "no stream",
        1,
        ["params", "missing", "changed"],
        ["    stream: true,\n    stream_options: { include_usage: true },\n", ""],
      ],
    ),
    ...edits(
      "user message",
      ["topic of the first", 1, "changed", [`"the sea"`, `"a sea"`]],
      ["topic of the second", 2, "changed", [`"the hills"`, `"a hill"`]],
      ["words around the topic", 1, "changed", ["Write a line", "Write two lines"]],
      ["drafts joined otherwise", 3, "changed", [`drafts.join("\\n")`, `drafts.join("\\n\\n")`]],
      ["only one draft", 3, "changed", [`drafts.join("\\n")`, "drafts[0]"]],
      ["a draft trimmed", 3, "changed", ["return text;", "return text.slice(1);"]],
    ),
    ...edits(
      "system prompt",
      ["of the choice", 3, "system", ["You choose.", "You choose with care."]],
      ["none", 3, "system", cut(`    { role: "system", content: "You choose." },\n`)],
    ),
    ...edits(
      "concurrency",
      [
        "one after the other",
        [1, 2, null],
        ["reordered", "order", "missing", "unfinished"],
        [
          `await Promise.all([draft("the sea"), draft("the hills")])`,
          `[await draft("the sea"), await draft("the hills")]`,
        ],
      ],
      [
        "in another order",
        [1, 2],
        ["reordered", "changed"],
        [`[draft("the sea"), draft("the hills")]`, `[draft("the hills"), draft("the sea")].reverse()`],
      ],
      ["a third draft", 3, ["extra", "changed"], [`draft("the hills")]`, `draft("the hills"), draft("a town")]`]],
      ["one draft twice", 2, ["changed", "missing", "reordered"], [`draft("the hills")]`, `draft("the sea")]`]],
      ["a draft less", 2, ["missing", "changed"], [`, draft("the hills")]`, "]"]],
      [
        "the first of both",
        [1, 2, 3],
        ["changed", "unfinished"],
        ["await Promise.all([", "await Promise.race(["],
        [`drafts.join("\\n")`, "drafts"],
      ],
    ),
    ...edits(
      "results not waited for",
      [
        "a stream is left after its first piece",
        [1, 2, 3],
        ["unfinished", "changed", "order"],
        [`?? "";\n  }`, `?? "";\n    if (text !== "") break;\n  }`],
      ],
      [
        "a stream is not read",
        [1, 2, 3],
        ["unfinished", "changed", "order"],
        ["for await (const chunk of stream) {", "for (const chunk of []) {"],
      ],
      [
        "the tool is not awaited",
        [4, null],
        ["unfinished", "output-changed"],
        ["console.log(await keep(", "console.log(keep("],
      ],
      [
        "the choice is not awaited",
        [3, 4],
        ["unfinished", "missing", "output-changed", "changed"],
        [
          "const final = await stream.finalChatCompletion()",
          "const final = { choices: [{ message: { content: 'x' } }] }",
        ],
      ],
    ),
    ...edits(
      "tool calls",
      [
        "another argument",
        4,
        "changed",
        ["await keep(final.choices[0].message.content)", "await keep(final.choices[0].message.role)"],
      ],
      ["never", 4, "missing", ["await keep(final.choices[0].message.content)", "true"]],
    ),
    ...edits(
      "standard output",
      ["pieces are not printed", null, "output-changed", [`process.stdout.write(delta)`, "delta"]],
      [
        "in capitals",
        null,
        "output-changed",
        [`process.stdout.write(delta)`, "process.stdout.write(delta.toUpperCase())"],
      ],
      ["no line end", null, "output-changed", cut(`process.stdout.write("\\n");\n`)],
    ),
    ...edits("delays and time-outs", [
      "time-out of the SDK",
      [1, null],
      ["delay-changed", "params"],
      ["maxRetries: 0", "maxRetries: 0, timeout: 45_000"],
    ]),
  ],
  controls: controls(
    ["openai 7.53.0", { release: { name: "openai", version: "7.53.0" } }],
    [
      "a stream read by its iterator",
      [
        'for await (const chunk of stream) {\n    text += chunk.choices[0]?.delta?.content ?? "";\n  }',
        'const read = async (source) => {\n    for await (const { choices } of source) text += choices[0]?.delta?.content ?? "";\n  };\n  await read(stream);',
      ],
    ],
    [
      "pieces kept in a list",
      ['let text = "";', "const texts = [];"],
      [`text += chunk.choices[0]?.delta?.content ?? "";`, `texts.push(chunk.choices[0]?.delta?.content ?? "");`],
      ["return text;", `return texts.join("");`],
    ],
    [
      "topics from a list",
      [`[draft("the sea"), draft("the hills")]`, `["the sea", "the hills"].map((topic) => draft(topic))`],
    ],
    ["minified names", ["async function draft(topic) {", "async function draft(t) {\n  const topic = t;"]],
    ["other retries where none are needed", ["maxRetries: 0", "maxRetries: 3"]],
  ),
};
