import { parseJson } from "@reenact/envelope";
import fc from "fast-check";
import { expect, test } from "vitest";
import { LOADED } from "./load-provider.ts";
import { checkOpenInference } from "./openinference.ts";

/** One of every kind of exchange, at no host in particular. */
const operations = LOADED.flatMap((loaded) =>
  Object.values(loaded.operations).map((create) =>
    create({ system: loaded.provider.name, vendor: null, model: undefined, modelAt: () => undefined }),
  ),
);

const key = fc.constantFrom(
  ..."id index type role name model messages content text input output choices delta message tool_calls function arguments".split(
    " ",
  ),
  ..."usage prompt_tokens input_tokens error code item output_index content_index response status summary annotations".split(
    " ",
  ),
  ..."content_block partial_json thinking signature source data media_type system tools reasoning_details __proto__".split(
    " ",
  ),
  ..."constructor toString valueOf toJSON image_url url results action finish_reason stop_reason".split(" "),
);
const word = fc.constantFrom(
  ..."message tool_use tool_result text image thinking redacted_thinking function function_call reasoning assistant error".split(
    " ",
  ),
  ..."message_start message_delta content_block_start content_block_delta input_json_delta text_delta citations_delta".split(
    " ",
  ),
  ..."response.created response.completed response.output_item.added response.output_text.delta image_url base64".split(
    " ",
  ),
  "response.function_call_arguments.delta",
  "data:image/png;base64,AAAA",
  '{"a":1',
  "\ud800",
  "",
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: "small" },
    word,
    fc.integer({ min: -2, max: 4 }),
    fc.double(),
    fc.constantFrom(null, true, 1e21),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie("value")), { maxLength: 6 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;
const document = json.map((value) => JSON.stringify(value) ?? "null");
const event = fc.tuple(word, document).map(([name, data]) => `event: ${name}\ndata: ${data}\n\n`);
const stream = fc
  .tuple(fc.array(event, { maxLength: 12 }), fc.double({ min: 0, max: 1, noNaN: true }))
  .map(([events, share]) => {
    const whole = events.join("");
    return whole.slice(0, Math.ceil(whole.length * share));
  });
const answer = fc.record({
  status: fc.constantFrom(200, 400, 529),
  mime: fc.constantFrom("application/json", "text/event-stream", ""),
  text: fc.oneof(document, stream, fc.string()),
});

test.each(operations.map((operation) => [operation.op, operation] as const))(
  "%s reads any input without throwing, and its view fits OpenInference",
  (_, operation) => {
    fc.assert(
      fc.property(fc.option(fc.oneof(document, fc.string())), fc.option(answer), (text, said) => {
        const view = operation.view({ url: "http://localhost/", text }, said);
        const kind = operation.kind === "HTTP" ? "CHAIN" : operation.kind;
        expect(checkOpenInference({ "openinference.span.kind": kind, ...view.attributes })).toEqual([]);
        if (said === null) return;
        operation
          .toolCalls(said)
          .forEach((ask, n) => expect(ask).toMatchObject({ index: n, args: expect.any(String) }));
        const whole = operation.assemble(said.text);
        if (whole !== null) JSON.parse(whole);
      }),
      { numRuns: 300 },
    );
    fc.assert(
      fc.property(document, (text) => {
        const { params, unkeyed } = operation.dimensions(parseJson(text));
        expect(params.length + unkeyed.length).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 100 },
    );
  },
);
