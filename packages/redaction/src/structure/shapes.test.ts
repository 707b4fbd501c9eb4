import fc from "fast-check";
import { expect, test } from "vitest";
import { createScrubber } from "../scrubber.ts";
import { eventDocuments } from "./documents.ts";
import { jsonLeaves } from "./json-leaves.ts";
import { Shapes } from "./shapes.ts";

const key = Buffer.alloc(32, 3);
const mime = "text/event-stream";
const event = (value: unknown, name?: string): string =>
  `${name === undefined ? "" : `event: ${name}\n`}data: ${JSON.stringify(value)}\n\n`;

const piece = fc.oneof(
  fc.constantFrom(
    "ali",
    "ce@example.com",
    " 4111 1111",
    " 1111 1111",
    'a "quote"',
    "\\",
    "\n",
    "",
    "é",
    '{"password":',
    '"x"}',
  ),
  fc.string({ maxLength: 8 }),
);
const events = fc.array(
  fc.oneof(
    fc
      .tuple(piece, fc.nat(3), fc.string({ maxLength: 6 }))
      .map(([content, index, obfuscation]) =>
        event({ id: "chatcmpl-1", created: 1_760_000_000, choices: [{ index, delta: { content } }], obfuscation }),
      ),
    fc
      .tuple(piece, fc.nat(99_999), fc.constantFrom("msg_1", "msg_2"))
      .map(([delta, sequence_number, item_id]) =>
        event({ type: "response.output_text.delta", sequence_number, item_id, delta }, "response.output_text.delta"),
      ),
    fc
      .tuple(piece, fc.nat(2))
      .map(([partial_json, index]) =>
        event({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json } }),
      ),
    fc.tuple(piece, piece).map(([name, value]) => event({ content: "x", name, value, pin: 1234 })),
    fc.constant(": keep-alive\n\n"),
  ),
  { maxLength: 40 },
);

/** The same stream with a field in each event that no other has, so that none is like another. */
function unlike(stream: string): string {
  let n = 0;
  return stream.replaceAll(/^data: \{/gm, () => `data: {"u${"v".repeat(++n)}":true,`);
}
const like = (stream: string): string => stream.replaceAll(/"uv+":true,/g, "");

test("a stream is redacted as if each of its events were taken apart", () => {
  fc.assert(
    fc.property(events, (parts) => {
      const stream = parts.join("");
      const scrubber = createScrubber({ key });
      const each = scrubber.scrub(unlike(stream), { mime });
      const out = scrubber.scrub(stream, { mime });
      expect(out.text).toBe(like(each.text));
      expect(out.counts).toEqual(each.counts);
    }),
    { numRuns: 300 },
  );
});

test("what tells streams apart, and what may be secret, is no hole", () => {
  const [first, ...others] = eventDocuments(
    [
      { index: 0, item_id: "a", content: "x", n: 1 },
      { index: 0, item_id: "a", content: 'y \\" z', n: 22 },
      { index: 1, item_id: "a", content: "x", n: 1 },
      { index: 0, item_id: "b", content: "x", n: 1 },
      { index: 0, item_id: "a", content: "x", n: 1, more: true },
      { index: 0, item_id: "a", content: null, n: 1 },
    ]
      .map((value) => event(value))
      .join(""),
  ).documents;
  const shapes = new Shapes();
  const leaves = jsonLeaves(first?.text ?? "", true) ?? [];
  shapes.learn(
    first as NonNullable<typeof first>,
    leaves.map((leaf) => ({ leaf, stream: null })),
    ({ key: k }) => k === "content",
  );
  expect(
    others.map(
      (document) => shapes.read(document)?.holes.map(({ leaf }) => document.text.slice(leaf.start, leaf.end)) ?? null,
    ),
  ).toEqual([['y \\\\\\" z', "22"], null, null, null, null]);
});
