import { after, before, controls, cut, edits, type Suite } from "../edit.ts";

const FILES = "files-changed";
const STYLE = "house-style.mjs";

export const pressDesk: Suite = {
  program: "press-desk.mjs",
  files: {
    [STYLE]: [
      "export const style = (topic) => `Write about ${topic}, in short words.`;",
      "export const headline = (text) => text.slice(0, 24).trim();",
      "",
    ].join("\n"),
  },
  edits: [
    ...edits(
      "bodies",
      ["a field of a form", 2, "changed", [`form.append("tag", "press")`, `form.append("tag", "news")`]],
      ["a field of a form less", 2, "changed", cut(`form.append("tag", "launch");\n`)],
      ["a field set over the ones before", 2, "changed", [`form.append("tag", "launch")`, `form.set("tag", "launch")`]],
      ["name of a file in a form", 2, "changed", [`}), "story.txt");\n`, `}), "story.md");\n`]],
      ["type of a blob", 2, "changed", [`type: "text/plain"`, `type: "text/markdown"`]],
      ["a part of a blob", 2, "changed", ["the desk", "the night desk"]],
      ["a part of a blob less", 2, "changed", [`, "\\n-- \\nthe desk"]`, "]"]],
      ["a slice of a blob", 2, "changed", [`{ type: "text/plain" })`, `{ type: "text/plain" }).slice(0, 8)`]],
      ["a form as text", 2, "changed", ["body: form })", "body: new URLSearchParams([...form].slice(0, 3)) })"]],
      ["order of form fields", 4, "changed", [`"run", upload.run`, `"runs", upload.run`]],
      ["another digest", [4, 6], "changed", [`createHash("sha256")`, `createHash("sha512")`]],
      ["what is digested", [4, 6], "changed", ["story.length.toString()", "`${story.length}\\n`"]],
      ["a signature by another key", 4, "changed", [`"sha256", "house"`, `"sha256", "home"`]],
      ["a signature in another encoding", 4, "changed", [`.digest("base64url")`, `.digest("base64")`]],
      ["a signature over another text", 4, "changed", ["`${digest}.${found.sky}`", "`${digest}:${found.sky}`"]],
    ),
    ...edits(
      "URL",
      ["a language in the query", 3, "changed", [`lang: "en"`, `lang: "de"`]],
      ["a week becomes eight days", 3, "changed", ["7 * 86_400_000", "8 * 86_400_000"]],
      ["a month that counts from one", 3, "changed", ["2026, 4, 1", "2026, 5, 1"]],
      [
        "a day without its time",
        3,
        "changed",
        [".toISOString());\nconst found", ".toISOString().slice(0, 10));\nconst found"],
      ],
      ["a query field set over", 3, "changed", [`query.append("before"`, `query.set("q"`]],
    ),
    ...edits(
      "headers",
      ["another type is accepted", 3, ["params", "changed"], [`accept: "application/json"`, `accept: "text/plain"`]],
      ["a digest in a header", 4, ["params", "changed"], [`"x-digest": digest`, `"x-digest": digest.slice(8)`]],
      [
        "a type of content by hand",
        4,
        ["params", "changed"],
        [`"x-digest": digest`, `"x-digest": digest, "content-type": "text/plain"`],
      ],
    ),
    ...edits(
      "configuration",
      ["a prompt in a module loaded late", 1, "changed", { file: STYLE }, ["in short words", "in plain words"]],
      ["a headline in a module loaded late", [2, null], ["changed", FILES], { file: STYLE }, ["0, 24", "0, 18"]],
      [
        "another module",
        1,
        ["changed"],
        [
          'const { headline, style } = await import("./house-style.mjs")',
          "const { headline, style } = { headline: (text) => text, style: (topic) => topic }",
        ],
      ],
    ),
    ...edits(
      "results not waited for",
      [
        "a stream read by hand is left early",
        [1, 2],
        ["unfinished", "changed"],
        [`if (line === "data: [DONE]") break;`, `if (story.length > 4) break;`],
      ],
      [
        "a body is not read any more",
        2,
        ["unfinished", "changed"],
        [
          'const upload = await (await fetch(`${api}/uploads`, { method: "POST", body: form })).json();',
          'await fetch(`${api}/uploads`, { method: "POST", body: form });\nconst upload = { run: "run_1" };',
        ],
      ],
    ),
    ...edits(
      "files",
      ["a transform gone", null, FILES, ["story]), shout, createWrite", "story]), createWrite"]],
      [
        "another word in a transform",
        null,
        FILES,
        [`replaceAll("launch", "Launch")`, `replaceAll("launch", "LAUNCH")`],
      ],
      [
        "a transform that drops a chunk",
        null,
        FILES,
        ["    done(null, chunk", "    if (chunk.length < 2) return done();\n    done(null, chunk"],
      ],
      [
        "a chunk more at the end of a stream",
        null,
        FILES,
        [
          'done(null, chunk.toString().replaceAll("launch", "Launch"));\n  },',
          'done(null, chunk.toString().replaceAll("launch", "Launch"));\n  },\n  flush(done) {\n    done(null, "--");\n  },',
        ],
      ],
      ["another level of compression", null, FILES, ["level: 9", "level: 0"]],
      [
        "appended by a stream's flags",
        null,
        FILES,
        ['createWriteStream("press/story.gz")', 'createWriteStream("press/story.gz", { start: 2, flags: "w" })'],
      ],
      [
        "another file is packed",
        null,
        FILES,
        [`createWriteStream("press/story.gz")`, `createWriteStream("press/story.txt.gz")`],
      ],
      ["one tag in place of all", null, FILES, [`form.getAll("tag")`, `form.get("tag")`]],
      ["an encoding of a file", null, FILES, [`at: "press" }));`, `at: "press" }), "utf16le");`]],
    ),
    ...edits(
      "control flow",
      [
        "the error that a status means",
        [4, 5],
        ["changed", "missing", "error", "order"],
        ["if (!review.ok)", "if (review.ok)"],
      ],
      [
        "a story from its end",
        [2, 5, null],
        ["changed", FILES, "missing"],
        ["story += JSON", "story = JSON"],
        ["const form =", 'story ||= "none";\nconst form ='],
      ],
      ["the last choice in place of the delta", [1, 2], ["changed"], ["?.delta?.content", "?.message?.content"]],
    ),
    ...edits(
      "tool calls",
      [
        "another text is archived",
        6,
        "changed",
        ["new TextEncoder().encode(story)", "new TextEncoder().encode(`${story} `)"],
      ],
      [
        "bytes of another kind",
        6,
        "changed",
        ["new TextEncoder().encode(story)", "[...new TextEncoder().encode(story)]"],
      ],
      [
        "bytes in UTF-16",
        6,
        "changed",
        ["new TextEncoder().encode(story)", `Uint8Array.from(Buffer.from(story, "utf16le"))`],
      ],
    ),
    ...edits("bookkeeping fields", [
      "stream options by hand",
      1,
      "params",
      ["stream: true,", "stream: true, stream_options: { include_usage: true },"],
    ]),
  ],
  controls: controls(
    ["a form built otherwise", [`form.set("title"`, `form.append("title"`]],
    ["a blob of bytes", ["new Blob([story, ", "new Blob([new TextEncoder().encode(story), "]],
    ["a blob joined before", [`[story, "\\n-- \\nthe desk"]`, "[`${story}\\n-- \\nthe desk`]"]],
    [
      "a file in place of a blob",
      ["new Blob([story", "new File([story"],
      [`{ type: "text/plain" }), "story.txt"`, `"story.txt", { type: "text/plain" }), "story.txt"`],
    ],
    [
      "a query from text",
      [`new URLSearchParams({ q: "launch", lang: "en" })`, `new URLSearchParams("q=launch&lang=en")`],
    ],
    [
      "a query from entries",
      [`new URLSearchParams({ q: "launch", lang: "en" })`, `new URLSearchParams([["q", "launch"], ["lang", "en"]])`],
    ],
    [
      "fields in an object",
      [
        `new URLSearchParams([\n    ["run", upload.run],\n    ["sky", found.sky],\n    ["mark", signature],\n  ])`,
        "new URLSearchParams({ run: upload.run, sky: found.sky, mark: signature })",
      ],
    ],
    ["a week in hours", ["7 * 86_400_000", "7 * 24 * 3_600_000"]],
    ["a digest in two updates", [".update(story.length.toString())", `.update("").update(String(story.length))`]],
    [
      "a digest by the short form",
      [
        `createHash("sha256").update(story.length.toString()).digest("hex")`,
        `(await import("node:crypto")).hash("sha256", story.length.toString())`,
      ],
    ],
    [
      "a decoder of the stream module",
      [
        "for await (const chunk of body) {\n    rest += decoder.decode(chunk, { stream: true });",
        "for await (const chunk of body.pipeThrough(new TextDecoderStream())) {\n    rest += chunk;",
      ],
    ],
    [
      "text in place of a chunk's bytes",
      [
        `done(null, chunk.toString().replaceAll("launch", "Launch"))`,
        `done(null, Buffer.from(String(chunk).replace(/launch/g, "Launch")))`,
      ],
    ],
    [
      "a module loaded at the start",
      [`const { headline, style } = await import("./house-style.mjs");\n`, ""],
      after(`import { tool } from "@reenact/node";\n`, `import { headline, style } from "./house-style.mjs";\n`),
    ],
    [
      "a function of the module written otherwise",
      { file: STYLE },
      ["text.slice(0, 24).trim()", "text.substring(0, 24).trim()"],
    ],
    ["the response of the call as text", ["body: form })).json()", "body: form })).text().then(JSON.parse)"]],
    ["a header of another letter case", [`"x-digest": digest`, `"X-Digest": digest`]],
    [
      "a generator in place of a list",
      [
        `Readable.from([headline(story), "\\n", story])`,
        `Readable.from((function* () { yield headline(story); yield "\\n"; yield story; })())`,
      ],
    ],
    ["one more import that nobody uses", before(`import { tool }`, `import "node:url";\n`)],
    [
      "a file written by a handle",
      [
        `await writeFile("press/index.json", `,
        `await writeFile(await (await import("node:fs/promises")).open("press/index.json", "w"), `,
      ],
    ],
  ),
};
