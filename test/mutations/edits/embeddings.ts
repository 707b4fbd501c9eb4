import { controls, edits, type Suite } from "../edit.ts";

export const embeddings: Suite = {
  program: "embeddings.mjs",
  edits: [
    ...edits(
      "model",
      [
        "of the batch",
        1,
        ["params", "changed"],
        [`model: "text-embedding-3-small",\n  input: texts`, `model: "text-embedding-3-large",\n  input: texts`],
      ],
      [
        "of the query",
        2,
        ["params", "changed"],
        [`model: "text-embedding-3-small", input: "a hat"`, `model: "text-embedding-3-large", input: "a hat"`],
      ],
    ),
    ...edits(
      "parameters",
      ["dimensions", 1, ["params", "changed"], ["dimensions: 256", "dimensions: 512"]],
      ["encoding", 1, ["params", "changed"], [`encoding_format: "float"`, `encoding_format: "base64"`]],
      ["dimensions of the query", 2, ["params", "changed"], [`user: "shop"`, `user: "shop", dimensions: 256`]],
    ),
    ...edits(
      "bookkeeping fields",
      ["user", 2, ["params", "changed"], [`user: "shop"`, `user: "office"`]],
      ["user removed", 2, ["params", "changed"], [`, user: "shop"`, ""]],
    ),
    ...edits(
      "user message",
      ["a text of the batch", 1, "changed", ["blue socks", "blue sock"]],
      ["order of the batch", 1, "changed", [`"red shoes", "a green hat"`, `"a green hat", "red shoes"`]],
      ["a text more", 1, "changed", [`"blue socks"]`, `"blue socks", "a scarf"]`]],
      ["the query", 2, "changed", [`input: "a hat"`, `input: "a cap"`]],
      ["the question", 3, "changed", ["Which is nearest?", "Which is next?"]],
    ),
    ...edits("control flow", [
      "the farthest in place of the nearest",
      [3, null],
      ["changed", "output-changed"],
      ["Math.max(...scores)", "Math.min(...scores)"],
    ]),
    ...edits(
      "calls added, removed, moved",
      [
        "one call for each text",
        1,
        ["changed", "params", "extra"],
        [
          "const { data } = await client.embeddings.create({\n",
          "const { data } = await client.embeddings.create({\n  input: texts[0],\n",
        ],
        ["  input: texts,\n", ""],
      ],
      [
        "the query first",
        [1, 2],
        ["reordered", "changed", "params"],
        [
          "const { data } =",
          `await client.embeddings.create({ model: "text-embedding-3-small", input: "a hat", user: "shop" });\nconst { data } =`,
        ],
      ],
    ),
  ],
  controls: controls(
    ["texts copied", ["input: texts,", "input: [...texts],"]],
    [
      "a sum written as a loop",
      [
        "a.reduce((sum, value, index) => sum + value * b[index], 0)",
        "{ let sum = 0; for (const [index, value] of a.entries()) sum += value * b[index]; return sum; }",
      ],
    ],
  ),
};
