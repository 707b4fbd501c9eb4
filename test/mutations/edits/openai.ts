import { added, after, before, type Change, controls, cut, edits, type Suite } from "../edit.ts";

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
        "changed",
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
