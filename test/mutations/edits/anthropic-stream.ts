import { after, controls, edits, type Suite } from "../edit.ts";

export const anthropicStream: Suite = {
  program: "anthropic-stream.mjs",
  edits: [
    ...edits(
      "model",
      ["in all", 1, ["params", "changed"], ["claude-haiku-4-5", "claude-haiku-4"]],
      ["in the last", 4, "params", ["  model,\n  max_tokens: 50", `  model: "claude-opus-4-1",\n  max_tokens: 50`]],
    ),
    ...edits(
      "parameters",
      ["top_p", 2, "params", ["top_p: 0.9", "top_p: 0.8"]],
      ["top_p removed", 2, "params", [", top_p: 0.9", ""]],
      ["max_tokens of the stream left early", 3, "params", ["max_tokens: 100", "max_tokens: 90"]],
    ),
    ...edits(
      "bookkeeping fields",
      ["metadata of a stream", 2, "params", ["top_p: 0.9", `top_p: 0.9, metadata: { user_id: "u" }`]],
      ["service tier", 4, "params", after("  max_tokens: 50,\n", `  service_tier: "auto",\n`)],
    ),
    ...edits("system prompt", ["added to the stream", 2, "system", ["top_p: 0.9", `top_p: 0.9, system: "Be kind."`]]),
    ...edits(
      "user message",
      ["the question of all", 1, "changed", ["in three lines", "in four lines"]],
      ["the follow-up", 3, "changed", ["Go on.", "Go on!"]],
      ["the last question", 4, "changed", ["A title for", "Titles for"]],
    ),
    ...edits(
      "history",
      [
        "the story left out",
        3,
        ["history", "changed"],
        [`{ role: "assistant", content: story.content[0].text }, `, ""],
      ],
      [
        "the story cut",
        3,
        ["history", "changed"],
        ["content: story.content[0].text }", "content: story.content[0].text.slice(1) }"],
      ],
    ),
    ...edits(
      "results not waited for",
      ["left after the first piece", [3, null], ["unfinished", "output-changed"], ["count === 3", "count === 1"]],
      [
        "left after one piece more",
        [3, 4, null],
        ["unfinished", "output-changed", "order", "changed", "exhausted"],
        ["count === 3", "count === 4"],
      ],
      [
        "read to its end",
        [3, 4, null],
        ["unfinished", "output-changed", "order", "missing"],
        ["  if (count === 3) break;\n", ""],
      ],
      [
        "the story is not waited for",
        [2, 3, 4],
        ["unfinished", "changed", "history"],
        ["const story = await stream.finalMessage();", "const story = { content: [{ text: '' }] };"],
      ],
      [
        "the last is not awaited",
        [4, null],
        ["unfinished", "output-changed"],
        ["const last = await client", "const last = client"],
        ["last.content[0].text", "typeof last"],
      ],
    ),
    ...edits(
      "calls added, removed, moved",
      [
        "no count",
        1,
        ["missing", "changed"],
        ["await client.messages.countTokens({ model, messages })", "{ input_tokens: 4 }"],
      ],
      [
        "the last never",
        4,
        "missing",
        ["const last = await client.messages.create({", "const last = { content: [{ text: '' }] };\nvoid ({"],
      ],
      [
        "a count more at the end",
        5,
        "extra",
        after(
          "console.log(last.content[0].text);\n",
          "await client.messages.countTokens({ model, messages }).catch(() => {});\n",
        ),
      ],
    ),
    ...edits(
      "standard output",
      ["the count printed", null, "output-changed", ["console.log(tokens > 0)", "console.log(tokens)"]],
      [
        "pieces in brackets",
        null,
        "output-changed",
        ["process.stdout.write(text)", "process.stdout.write(`[${text}]`)"],
      ],
    ),
  ],
  controls: controls(
    [
      "a count in another variable",
      ["{ input_tokens: tokens }", "counted"],
      ["console.log(tokens > 0)", "console.log(counted.input_tokens > 0)"],
    ],
    ["@anthropic-ai/sdk 1.10.0", { release: { name: "@anthropic-ai/sdk", version: "1.10.0" } }],
    [
      "conditions exchanged",
      [
        `  if (event.type !== "content_block_delta") continue;\n  count += 1;`,
        `  if (event.type === "content_block_delta") count += 1;\n  else continue;`,
      ],
    ],
  ),
};
