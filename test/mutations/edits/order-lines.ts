import { after, before, controls, cut, edits, type Suite } from "../edit.ts";

/** Steps: 1 lamp · 2 bookcase · 3 chair · 4 desk, each a price; 5–8 their texts, in the order of prices; 9, 10 pages; 11 report. */
const PRICES = [1, 2, 3, 4];
const TEXTS = [5, 6, 7, 8];
/** An additional call gets the number after the recorded calls before it. */
const MORE = [9, 12];

export const orderLines: Suite = {
  program: "order-lines.mjs",
  edits: [
    ...edits(
      "concurrency",
      ["the first item less", 4, "missing", [`["desk", "chair",`, `["chair",`]],
      ["a middle item less", 3, "missing", [`"chair", `, ""]],
      ["the last item less", 1, "missing", [`, "lamp"]`, "]"]],
      ["an item more at the end", [...PRICES, ...TEXTS, ...MORE], ["extra"], [`"lamp"]`, `"lamp", "stool"]`]],
      ["an item more at the start", [...PRICES, ...TEXTS, ...MORE], ["extra"], [`["desk"`, `["stool", "desk"`]],
      [
        "an item more in the middle",
        [...PRICES, ...TEXTS, ...MORE],
        ["extra"],
        [`"chair", "book`, `"chair", "stool", "book`],
      ],
      ["an item in place of another", 2, "changed", [`"bookcase"`, `"bookshelf"`]],
      ["an item twice", [...PRICES, ...TEXTS, ...MORE], ["extra"], [`"chair", "book`, `"chair", "chair", "book`]],
      [
        "items in another order",
        [null, ...PRICES],
        ["reordered", "changed"],
        [`["desk", "chair", "bookcase", "lamp"]`, `["lamp", "chair", "bookcase", "desk"]`],
      ],
      [
        "one item is not priced",
        3,
        "missing",
        ["const cents = await price({ item });", `const cents = item === "chair" ? 500 : await price({ item });`],
      ],
      [
        "one item is not described",
        TEXTS,
        "missing",
        ["const text = await ask(", `const text = item === "chair" ? "a b" : await ask(`],
      ],
      [
        "one description asked twice",
        [...TEXTS, 9],
        ["extra"],
        ["clearTimeout(timer);", `clearTimeout(timer);\n    if (item === "chair") await ask("More.");`],
      ],
      [
        "only settled ones",
        [null],
        ["output-changed", "error"],
        ["await Promise.all(\n", "(await Promise.allSettled(\n"],
        ["  }),\n);\n\nconst bus", "  }),\n)).map(({ value, status }) => ({ ...value, item: status }));\n\nconst bus"],
      ],
      [
        "the first in place of all",
        [null, ...TEXTS, 9, 11, ...PRICES],
        ["unfinished", "changed", "reordered", "missing"],
        ["const priced = await Promise.all(", "const priced = await Promise.any("],
        ["for (const { item } of priced)", "for (const { item } of [priced])"],
        ["priced.reduce((sum, { cents }) => sum + cents, 0), lines: priced.length", "priced.cents, lines: 1"],
      ],
    ),
    ...edits(
      "delays and time-outs",
      ["waits that grow", [null, ...PRICES], ["delay-changed", "reordered"], ["lines.length - index", "index + 1"]],
      ["longer waits", [null, ...PRICES], "delay-changed", ["sleep(5 * ", "sleep(50 * "]],
      ["a pause less", [null, ...TEXTS], ["unfinished", "delay-changed"], cut("    await sleep(4);\n")],
      ["a warning sooner", [null, ...TEXTS], "delay-changed", ["takes long`), 5_000", "takes long`), 2_000"]],
      ["pages at a slower pace", [null, 9, 10], "delay-changed", ["every(10)", "every(1_000)"]],
    ),
    ...edits(
      "calls added, removed, moved",
      ["a page less", 10, "missing", ["page === 2", "page === 1"]],
      ["a page more", [null, 11, 10], ["extra", "reordered"], ["page === 2", "page === 3"]],
      [
        "pages from the second on",
        9,
        ["changed", "missing"],
        ["let page = 1", "let page = 2"],
        ["page === 2", "page === 3"],
      ],
      [
        "the loop over pages is left early",
        10,
        ["missing", "unfinished"],
        ["console.log(path);", "{\n  console.log(path);\n  break;\n}"],
      ],
      [
        "pages before the items",
        [1, 2, 3, 4, 9],
        ["reordered"],
        ["for await (const path of pages()) console.log(path);\n", ""],
        [`const priced =`, `for await (const path of pages()) console.log(path);\nconst priced =`],
      ],
    ),
    ...edits(
      "standard output",
      [
        "a listener stopped too soon",
        null,
        "output-changed",
        ["stop.abort();\n", ""],
        ["for (const { item } of priced) bus", "stop.abort();\nfor (const { item } of priced) bus"],
      ],
      [
        "another event",
        null,
        "output-changed",
        ['bus.emit("line", item)', 'bus.emit(item.length > 5 ? "line" : "short", item)'],
      ],
      ["an error's message", null, "output-changed", ["error.name", "error.message"]],
      [
        "a reason of an abort",
        null,
        ["output-changed"],
        ["names.push(error.name)", 'names.push(error.cause?.name ?? "none")'],
        ["stop.abort()", 'stop.abort(new TypeError("over"))'],
      ],
    ),
    ...edits(
      "tool calls",
      ["the total of the first", 11, "changed", ["sum + cents, 0)", "cents, 0)"]],
      [
        "an argument of one",
        3,
        "changed",
        ["await price({ item })", `await price(item === "chair" ? { item, fast: true } : { item })`],
      ],
    ),
    ...edits("parameters", [
      "tokens of one text",
      TEXTS,
      "params",
      ["max_tokens: 64,", 'max_tokens: content.includes("chair") ? 65 : 64,'],
    ]),
    ...edits(
      "results not waited for",
      [
        "the last tool's promise printed",
        [11, null],
        ["unfinished", "output-changed"],
        ["console.log(await report(", "console.log(report("],
      ],
      [
        "items not waited for",
        [1, 2, 3, 4, 5, 9, 11, null],
        ["reordered", "unfinished", "changed", "order"],
        ["const priced = await Promise.all(", "const priced = [];\nvoid Promise.all("],
      ],
    ),
  ],
  controls: controls(
    [
      "a loop that pushes",
      [
        "await Promise.all(\n  lines.map(async (item, index) => {",
        "await Promise.all(\n  [...lines.entries()].map(async ([index, item]) => {",
      ],
    ],
    ["waits computed otherwise", ["5 * (lines.length - index)", "(lines.length - index) * 5"]],
    [
      "a signal that nobody fires",
      ["await sleep(4);", "await sleep(4, undefined, { signal: new AbortController().signal });"],
    ],
    ["a sleep with a value", ["await sleep(4);", "await sleep(4, index);"]],
    [
      "all settled where all succeed",
      ["const priced = await Promise.all(", "const priced = await Promise.allSettled("],
      ["  }),\n);\n\nconst bus", "  }),\n).then((all) => all.map(({ value }) => value));\n\nconst bus"],
    ],
    ["a listener more that does nothing", after("const bus = new EventEmitter();\n", `bus.on("line", () => {});\n`)],
    [
      "a counter in another place",
      ["let page = 1;\n", "let page = 0;\n"],
      ["/pages/${page}`", "/pages/${page + 1}`"],
      ["page === 2", "page === 1"],
    ],
    ["text by find", ["message.content[0].text", `message.content.find(({ type }) => type === "text").text`]],
    [
      "microtasks more",
      [
        "const cents = await price({ item });",
        "await null;\n    const cents = await price({ item });\n    await null;",
      ],
    ],
    [
      "queued microtasks",
      before("const text = await ask(", "await new Promise((done) => queueMicrotask(done));\n    "),
    ],
  ),
};
