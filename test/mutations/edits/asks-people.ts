import { before, controls, edits, type Suite } from "../edit.ts";

export const asksPeople: Suite = {
  program: "asks-people.mjs",
  input: "yes\ncard\n",
  edits: [
    ...edits(
      "human input",
      ["another question", 2, "changed", ["Pay 40?", "Pay 50?"]],
      ["another question after the answer", 4, "changed", ["How? (", "By what? ("]],
      ["another name", 2, ["changed", "missing", "extra"], [`input("approve"`, `input("allow"`]],
      [
        "a question less",
        4,
        "missing",
        ['const by = await input("method", `How? (${text.length > 0})`);', `const by = "card";`],
      ],
      ["a question more", [5], "extra", before("if (approved", `await input("note", "Why?").catch(() => {});\n`)],
      [
        "a question before the first",
        [1, 4],
        ["reordered", "extra", "changed"],
        before('await ask("What is due?")', `await input("method", "How?").catch(() => {});\n`),
      ],
      [
        "the answer is turned round",
        3,
        "changed",
        ["The person said ${approved}.", 'The person said ${approved === "yes" ? "no" : "yes"}.'],
      ],
      [
        "the question is not waited for",
        [4, 5],
        ["unfinished", "changed", "order"],
        ["const by = await input(", "const by = input("],
      ],
    ),
    ...edits(
      "control flow",
      ["a branch on the answer", 5, "missing", [`approved === "yes"`, `approved === "y"`]],
      ["a limit", 5, "changed", ["amount: 40", "amount: 400"]],
      [
        "the answer to a call decides",
        5,
        "missing",
        [`if (approved === "yes")`, `if (approved === "yes" && text.length < 5)`],
      ],
    ),
  ],
  controls: controls(
    ["a question from a constant", [`"Pay 40?"`, "`Pay ${30 + 10}?`"]],
    ["a condition written otherwise", [`if (approved === "yes")`, `if (["yes"].includes(approved))`]],
    [
      "branches exchanged",
      [
        'if (approved === "yes") console.log(await pay({ amount: 40, by }));\nelse console.log("nothing paid");',
        'if (approved !== "yes") console.log("nothing paid");\nelse console.log(await pay({ amount: 40, by }));',
      ],
    ],
  ),
};
