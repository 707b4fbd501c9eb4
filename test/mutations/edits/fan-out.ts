import { before, controls, cut, edits, type Suite } from "../edit.ts";

export const fanOut: Suite = {
  program: "fan-out.mjs",
  edits: [
    ...edits(
      "model",
      ["in all", 1, "params", [`"gpt-4.1-mini"`, `"gpt-4.1"`]],
      ["in the second turns", 5, "params", ["return ask(messages);", `return ask(messages, { model: "gpt-4.1" });`]],
    ),
    ...edits(
      "parameters",
      [
        "temperature of one branch",
        3,
        "params",
        [
          "const first = await ask(messages);",
          `const first = await ask(messages, file === "printer.js" ? { temperature: 1 } : {});`,
        ],
      ],
      ["top_p in the merge", 9, "params", ['notes.join(" | ")}` }]', 'notes.join(" | ")}` }], { top_p: 0.5 }']],
    ),
    ...edits(
      "bookkeeping fields",
      [
        "user of one branch",
        2,
        "params",
        [
          "const first = await ask(messages);",
          `const first = await ask(messages, file === "lexer.js" && { user: "me" });`,
        ],
      ],
      [
        "store in the second turn of one branch",
        8,
        "params",
        ["return ask(messages);", `return ask(messages, file === "main.js" && { store: true });`],
      ],
    ),
    ...edits(
      "system prompt",
      ["in all", 1, "system", ["You review code.", "You review tests."]],
      [
        "of one branch",
        4,
        "system",
        [`content: "You review code."`, `content: file === "main.js" ? "You judge code." : "You review code."`],
      ],
    ),
    ...edits(
      "user message",
      ["first file", 1, "changed", [`"parser.js"`, `"scanner.js"`]],
      ["last file", 4, "changed", [`"main.js"]`, `"index.js"]`]],
      ["second turn", 5, "changed", ["Be brief on", "Be short on"]],
      [
        "second turn of one branch",
        7,
        "changed",
        ["content: `Be brief on ${file}.`", "content: `Be brief on ${file.replace('printer', 'writer')}.`"],
      ],
      ["the merge", 9, "changed", ["Merge: ", "Join: "]],
      ["order of notes in the merge", 9, "changed", ["${notes.join(", "${notes.toReversed().join("]],
    ),
    ...edits(
      "history",
      ["first answers left out", 5, ["history", "changed"], [`{ role: "assistant", content: first }, `, ""]],
      [
        "first answer of one branch changed",
        6,
        ["history", "changed"],
        [`role: "assistant", content: first }`, `role: "assistant", content: file === "lexer.js" ? "ok" : first }`],
      ],
    ),
    ...edits(
      "concurrency",
      [
        "one after the other",
        [2, 5],
        ["reordered", "missing", "order"],
        [
          "const notes = await Promise.all(files.map((file) => review(file)));",
          "const notes = [];\nfor (const file of files) notes.push(await review(file));",
        ],
      ],
      [
        "order of the fan-out",
        [1, 2, 3, 4],
        ["reordered", "changed"],
        ["files.map((file) => review(file))", "files.toReversed().map((file) => review(file))"],
      ],
      [
        "two at a time",
        [3, 5],
        ["reordered", "missing", "order"],
        [
          "await Promise.all(files.map((file) => review(file)))",
          "[...(await Promise.all(files.slice(0, 2).map(review))), ...(await Promise.all(files.slice(2).map(review)))]",
        ],
      ],
      [
        "the first of all",
        [5, 6, 7, 8, 9],
        ["changed", "unfinished", "missing"],
        ["await Promise.all(files", "[await Promise.race(files"],
        ["review(file)));", "review(file)))];"],
      ],
      [
        "settled in place of all",
        null,
        "output-changed",
        [
          "await Promise.all(files.map((file) => review(file)));",
          "(await Promise.allSettled(files.map((file) => review(file)))).map(({ value }) => value);\nconsole.log(notes.length);",
        ],
      ],
    ),
    ...edits(
      "calls added, removed, moved",
      ["a file more at the end", 5, ["extra", "changed"], [`"main.js"]`, `"main.js", "cli.js"]`]],
      ["a file more at the start", 1, ["extra", "changed", "reordered"], [`["parser.js"`, `["cli.js", "parser.js"`]],
      ["a file less at the start", 1, ["missing", "changed", "reordered"], [`"parser.js", `, ""]],
      ["a file less in the middle", 2, ["missing", "changed", "reordered"], [`"lexer.js", `, ""]],
      ["a file less at the end", 4, ["missing", "changed"], [`, "main.js"]`, "]"]],
      ["a file twice", 4, ["changed", "missing", "extra"], [`"main.js"]`, `"parser.js"]`]],
      ["no second turn", 5, ["missing", "changed"], ["return ask(messages);", "return first;"]],
      [
        "a third turn",
        9,
        ["extra", "changed", "missing"],
        ["return ask(messages);", 'return ask([...messages, { role: "assistant", content: await ask(messages) }]);'],
      ],
      [
        "no merge",
        9,
        "missing",
        ['await ask([{ role: "user", content: `Merge: ${notes.join(" | ")}` }])', "notes.join()"],
      ],
      [
        "a call in one branch only",
        [5, 6, 7, 8, 9],
        ["extra", "changed"],
        before(
          '  messages.push({ role: "assistant"',
          '  if (file === "lexer.js") await ask([{ role: "user", content: "Is it long?" }]);\n',
        ),
      ],
      [
        "no second turn in one branch",
        6,
        ["missing"],
        ["return ask(messages);", `return file === "lexer.js" ? first : ask(messages);`],
      ],
    ),
    ...edits(
      "results not waited for",
      [
        "the bodies of the first turns are not read",
        [1, 2, 3, 4, 5],
        ["unfinished", "changed", "history", "order"],
        [
          "const body = await response.json();",
          'if (messages.length === 2) return "fine";\n  const body = await response.json();',
        ],
      ],
      [
        "publish is not awaited",
        [10, null],
        ["unfinished", "output-changed"],
        ["console.log(await publish(", "console.log(typeof publish("],
      ],
      [
        "the merge is not awaited",
        [9, 10, null],
        // the next call names the answer that it no longer waits for
        ["unfinished", "output-changed", "reordered"],
        ["const merged = await ask(", "const merged = typeof ask("],
      ],
    ),
    ...edits(
      "tool calls",
      ["another argument", 10, "changed", ["draft: false", "draft: true"]],
      ["notes in another order", 10, "changed", ["publish({ notes,", "publish({ notes: notes.toReversed(),"]],
      ["never", 10, "missing", cut("console.log(await publish({ notes, draft: false }));\n")],
      [
        "before the merge",
        [9, 10],
        ["reordered", "changed"],
        before("const merged", "const published = await publish({ notes, draft: false });\n"),
        ["console.log(await publish({ notes, draft: false }))", "console.log(published)"],
      ],
    ),
    ...edits(
      "headers",
      ["another token", 1, "params", ["Bearer none", "Bearer other"]],
      ["none", 1, "params", [`, authorization: "Bearer none"`, ""]],
      [
        "a header in the second turns",
        5,
        "params",
        [
          `"content-type": "application/json", auth`,
          `"content-type": "application/json", ...(messages.length > 2 && { "x-turn": "2" }), auth`,
        ],
      ],
      ["another content type", 1, ["params", "changed"], [`"application/json"`, `"text/plain"`]],
    ),
    ...edits("URL", ["a query", 1, ["params", "changed"], ["/chat/completions`", "/chat/completions?v=2`"]]),
  ],
  controls: controls(
    [
      "a loop in place of a map",
      [
        "const notes = await Promise.all(files.map((file) => review(file)));",
        "const waiting = [];\nfor (const file of files) waiting.push(review(file));\nconst notes = await Promise.all(waiting);",
      ],
    ],
    [
      "order of keys",
      [`model: "gpt-4.1-mini", temperature: 0, messages`, `messages, temperature: 0, model: "gpt-4.1-mini"`],
    ],
    [
      "order of headers",
      [
        `{ "content-type": "application/json", authorization: "Bearer none" }`,
        `{ authorization: "Bearer none", "content-type": "application/json" }`,
      ],
    ],
    ["headers in other letters", ["authorization: ", "Authorization: "]],
    [
      "headers as an object of their own",
      [
        `headers: { "content-type": "application/json", authorization: "Bearer none" }`,
        `headers: new Headers([["Authorization", "Bearer none"], ["Content-Type", "application/json"]])`,
      ],
    ],
    ["white space in the body", ["...more }),", "...more }, null, 2),"]],
    ["awaited before it is returned", ["return ask(messages);", "const second = ask(messages);\n  return second;"]],
    ["a wrapper of the fetch", ["const response = await fetch(", "const response = await globalThis.fetch("]],
    [
      "a body as bytes",
      [
        'body: JSON.stringify({ model: "gpt-4.1-mini", temperature: 0, messages, ...more })',
        'body: Buffer.from(JSON.stringify({ model: "gpt-4.1-mini", temperature: 0, messages, ...more }))',
      ],
    ],
    ["another home and folder", { env: { HOME: "/nowhere" }, cwd: "sub/folder" }],
  ),
};
