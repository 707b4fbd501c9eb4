import { added, after, before, type Change, controls, cut, edits, type Suite } from "../edit.ts";

const inFirst = (field: string): Change => after(`  input: "A train to Bern, please.",\n`, `  ${field},\n`);
const inSecond = (field: string): Change => after("  max_output_tokens: 300,\n", `  ${field},\n`);
const inThird = (field: string): Change => after("  stream: true,\n", `  ${field},\n`);

export const responsesChain: Suite = {
  program: "responses-chain.mjs",
  edits: [
    ...edits(
      "model",
      ["of the first", 1, "params", [`model: "gpt-5-mini",\n  instructions`, `model: "gpt-5",\n  instructions`]],
      [
        "of the stream",
        4,
        "params",
        [
          `model: "gpt-5-mini",\n  previous_response_id: second.id`,
          `model: "gpt-5-nano",\n  previous_response_id: second.id`,
        ],
      ],
    ),
    ...edits(
      "parameters",
      ["effort", 1, "params", [`effort: "low"`, `effort: "high"`]],
      ["effort removed", 1, "params", cut(`  reasoning: { effort: "low" },\n`)],
      ["verbosity", 1, "params", [`verbosity: "low"`, `verbosity: "high"`]],
      ["max_output_tokens", 3, "params", ["max_output_tokens: 300", "max_output_tokens: 200"]],
      ["max_output_tokens removed", 3, "params", cut("  max_output_tokens: 300,\n")],
    ),
    ...added(
      "parameters",
      "params",
      [
        "temperature: 0.1",
        "top_p: 0.5",
        `truncation: "auto"`,
        "parallel_tool_calls: false",
        `tool_choice: "auto"`,
        "max_tool_calls: 2",
        "top_logprobs: 1",
        `text: { format: { type: "json_object" } }`,
        "background: false",
        `reasoning: { summary: "auto" }`,
      ],
      [
        [3, inSecond],
        [4, inThird],
      ],
    ),
    ...added(
      "bookkeeping fields",
      "params",
      [
        "store: false",
        `metadata: { trip: "7" }`,
        `user: "ida"`,
        `service_tier: "priority"`,
        `prompt_cache_key: "trains"`,
        `include: ["reasoning.encrypted_content"]`,
        `safety_identifier: "u1"`,
        `prompt_cache_retention: "24h"`,
        "stream_options: { include_obfuscation: false }",
      ],
      [
        [1, inFirst],
        [3, inSecond],
        [4, inThird],
      ],
    ),
    ...edits(
      "ids",
      ["goes on from the first", 4, "params", ["previous_response_id: second.id", "previous_response_id: first.id"]],
      ["goes on from none", 3, "params", cut("  previous_response_id: first.id,\n")],
      [
        "goes on from an id of its own",
        3,
        "params",
        ["previous_response_id: first.id", `previous_response_id: "resp_0000000000000000"`],
      ],
      [
        "the item's id in place of the call's",
        3,
        "changed",
        ["call_id: call.call_id, output", "call_id: call.id, output"],
      ],
      ["another id in the tool's argument", 5, "changed", ["response: second.id", "response: first.id"]],
      [
        "two ids exchanged",
        5,
        "changed",
        ["response: second.id, call: call.call_id", "response: call.call_id, call: second.id"],
      ],
      ["the item's id in the tool's argument", 5, "changed", ["call: call.call_id })", "call: call.id })"]],
      ["an id in the metadata", 4, "params", inThird("metadata: { from: first.id }")],
    ),
    ...edits(
      "system prompt",
      ["instructions changed", 1, "system", ["You are a travel desk.", "You are a ticket desk."]],
      ["instructions removed", 1, "system", cut(`  instructions: "You are a travel desk.",\n`)],
      ["instructions added", 4, "system", inThird(`instructions: "Be brief."`)],
    ),
    ...edits(
      "user message",
      ["the first question", 1, "changed", ["A train to Bern", "A train to Basel"]],
      ["the last question", 4, "changed", ["Say it in one line.", "Say it in two lines."]],
      ["the tool's result", 3, "changed", ["output: JSON.stringify(train)", "output: JSON.stringify([train])"]],
    ),
    ...edits(
      "tools offered",
      ["another description", 1, ["changed", "params"], ["Finds a train.", "Looks for trains."]],
      ["not strict", 1, ["changed", "params"], ["strict: true", "strict: false"]],
      [
        "other properties allowed",
        1,
        ["changed", "params"],
        ["additionalProperties: false", "additionalProperties: true"],
      ],
      ["a hosted tool", 1, ["changed", "params"], ["tools: offered", `tools: [...offered, { type: "web_search" }]`]],
      ["no tools", 1, ["changed", "params"], cut("  tools: offered,\n")],
    ),
    ...edits(
      "headers",
      ["another organization", 1, "params", ["org-travel", "org-tickets"]],
      ["no organization", 1, "params", [`organization: "org-travel", `, ""]],
      ["another project", 1, "params", ["proj-trains", "proj-buses"]],
      [
        "a beta header of one call",
        3,
        "params",
        [`max_output_tokens: 300,\n})`, `max_output_tokens: 300,\n}, { headers: { "openai-beta": "responses=v2" } })`],
      ],
    ),
    ...edits(
      "tool calls",
      [
        "another train",
        2,
        "changed",
        ["findTrain(JSON.parse(call.arguments))", `findTrain({ ...JSON.parse(call.arguments), via: "Olten" })`],
      ],
      [
        "once more, before",
        2,
        ["extra", "changed"],
        ["const train = await", 'await findTrain({ to: "Chur" });\nconst train = await'],
      ],
      [
        "not looked up",
        2,
        "missing",
        ["await findTrain(JSON.parse(call.arguments))", `{ to: "Bern", leaves: "9:15", train: "IC 71" }`],
      ],
    ),
    ...edits(
      "results not waited for",
      [
        "the stream is left early",
        [4, 5, null],
        ["unfinished", "output-changed"],
        ["text += event.delta;", "text += event.delta;\n  if (text.length > 3) break;"],
      ],
      [
        "the stream is not read",
        [4, null],
        ["unfinished", "output-changed"],
        ["for await (const event of stream)", "for (const event of [])"],
      ],
      [
        "the booking is not awaited",
        [5, null],
        ["unfinished", "output-changed"],
        ["console.log(await book(", "console.log(text.length, book("],
      ],
    ),
  ],
  controls: controls(
    ["openai 7.52.0", { release: { name: "openai", version: "7.52.0" } }],
    [
      "order of keys",
      [
        `  reasoning: { effort: "low" },\n  text: { verbosity: "low" },\n`,
        `  text: { verbosity: "low" },\n  reasoning: { effort: "low" },\n`,
      ],
    ],
    ["input from a variable", [`input: "A train to Bern, please."`, "input: `A train to ${'Bern'}, please.`"]],
    [
      "a filter in place of a find",
      [
        `first.output.find((item) => item.type === "function_call")`,
        `first.output.filter(({ type }) => type === "function_call")[0]`,
      ],
    ],
    [
      "id kept in a variable",
      before("const second", "const from = first.id;\n"),
      ["previous_response_id: first.id", "previous_response_id: from"],
    ],
  ),
};
