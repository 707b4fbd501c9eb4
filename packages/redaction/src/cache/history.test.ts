import fc from "fast-check";
import { expect, test } from "vitest";
import { createHistory } from "./history.ts";
import { createScrubber } from "../scrubber.ts";
import type { Cut } from "../structure/cut.ts";
import { jsonLeaves } from "../structure/json-leaves.ts";

const key = Buffer.alloc(32, 5);
const mime = "application/json";

/** Each text as a scrubber makes it that has seen nothing before. */
const alone = (text: string) => createScrubber({ key }).scrub(text, { mime });

const word = fc.oneof(
  fc.constantFrom("alice@example.com", "4111 1111 1111 1111", 'a "quoted" word', "[", "]},{", "\\", "é\n", "plain"),
  fc.string({ maxLength: 12 }),
);
const content = fc.array(word, { maxLength: 60 }).map((words) => words.join(" "));
const message = fc.oneof(
  fc.record({ role: fc.constantFrom("user", "assistant"), content }),
  fc.record({ role: fc.constant("tool"), content: content.map((c) => JSON.stringify({ password: "pw-1", note: c })) }),
  content,
  fc.array(content, { maxLength: 3 }),
  fc.constant(["authorization", "Bearer abc"]),
  fc.record({ name: fc.constant("password"), value: content }),
);
const body = (messages: readonly unknown[], order: boolean): string =>
  order
    ? JSON.stringify({ model: "m", messages, tools: [{ name: "t", n: 1.0 }], stream: true })
    : JSON.stringify({ tools: [{ name: "t" }], system: "mail bob@example.com", messages }, null, 1);

test("a text that repeats an earlier one is redacted as it would be alone", () => {
  let reused = 0;
  fc.assert(
    fc.property(
      fc.array(message, { minLength: 1, maxLength: 8 }),
      fc.array(fc.tuple(fc.nat(10), fc.array(message, { maxLength: 3 }), fc.boolean()), { maxLength: 6 }),
      fc.constantFrom("x".repeat(5000), "dana@example.org ".repeat(300)),
      (first, turns, padding) => {
        const scrubber = createScrubber({ key });
        let messages: unknown[] = [{ role: "user", content: padding }, ...first];
        for (const [drop, more, order] of turns) {
          // a conversation grows, is cut back, or changes in the middle
          messages = [...messages.slice(0, Math.max(1, messages.length - (drop % 3))), ...more];
          const text = body(messages, order);
          const seen = scrubber.scrub(text, { mime });
          expect(seen).toEqual(alone(text));
          if (more.length > 0) reused++;
        }
      },
    ),
    { numRuns: 150 },
  );
  expect(reused).toBeGreaterThan(0);
});

test("a text whose beginning another scrubber has read is redacted as it would be alone", () => {
  let handedOver = 0;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(10), fc.array(message, { maxLength: 3 }), fc.boolean()), { minLength: 2, maxLength: 6 }),
      fc.constantFrom("x".repeat(5000), "dana@example.org ".repeat(300)),
      (turns, padding) => {
        const [first, second, all] = [createScrubber({ key }), createScrubber({ key }), createScrubber({ key })];
        let messages: unknown[] = [{ role: "user", content: padding }];
        for (const [drop, more, isFirst] of turns) {
          messages = [...messages.slice(0, Math.max(1, messages.length - (drop % 3))), ...more];
          const text = body(messages, true);
          const reader = isFirst ? first : second;
          const begun = structuredClone(all.beginning?.(text, { mime }) ?? null);
          const rest = all.unread(text, { mime });
          if (begun !== null) {
            reader.hold?.(text.slice(0, begun.length), { mime }, begun);
            expect(reader.unread(text, { mime })).toBeLessThanOrEqual(rest);
            handedOver++;
          }
          expect(reader.scrub(text, { mime })).toEqual(alone(text));
          const held = reader.held?.(text, { mime });
          if (held !== null && held !== undefined) all.hold?.(text, { mime }, structuredClone(held));
        }
      },
    ),
    { numRuns: 150 },
  );
  expect(handedOver).toBeGreaterThan(0);
});

test("only what is new is read", () => {
  const history = createHistory(8 * 1024 * 1024);
  const read: number[] = [];
  const changes = (messages: readonly object[]): void => {
    history.changes(body(messages, true), mime, (text, cuts) => {
      read.push(text.length);
      return jsonLeaves(text, false, cuts) === null ? null : [];
    });
  };
  const long = Array.from({ length: 200 }, (_, i) => ({ role: "user", content: `${i} bob@example.com `.repeat(400) }));
  changes(long);
  changes([...long, { role: "user", content: "and carol@example.com" }]);
  expect(read[0]).toBeGreaterThan(1_000_000);
  expect(read).toHaveLength(2);
  expect(read[1]).toBeLessThan(200);
});

test.each([
  { role: "assistant", content: "" },
  { role: "user", content: [{ type: "text", text: "" }] },
  { role: "assistant", content: null, tool_calls: [{ function: { name: "f", arguments: "" } }] },
  { role: "user", "": "x", content: "y" },
])("an empty text in a conversation does not have it read again: %j", (empty) => {
  const scrubber = createScrubber({ key });
  const turn = (i: number): object => ({ role: "user", content: `${i} words and more `.repeat(40) });
  const before = [
    ...Array.from({ length: 50 }, (_, i) => turn(i)),
    empty,
    ...Array.from({ length: 50 }, (_, i) => turn(i)),
  ];
  const asked = (messages: readonly object[]): string => JSON.stringify({ model: "m", user: "", messages });
  scrubber.scrub(asked(before), { mime });
  expect(scrubber.unread(asked([...before, { role: "user", content: "new" }]), { mime })).toBeLessThan(200);
});

test("a text that is no JSON is read as a whole, whatever was seen before", () => {
  const scrubber = createScrubber({ key });
  const text = body([{ content: "x".repeat(6000) }, { content: "alice@example.com" }], true);
  scrubber.scrub(text, { mime });
  const broken = `${text.slice(0, -3)},"carol@example.com" `;
  expect(scrubber.scrub(broken, { mime })).toEqual(alone(broken));
});

test("a value that becomes known is found in what was read before", () => {
  const scrubber = createScrubber({ key });
  const messages = [{ content: "x".repeat(6000) }, { content: "zebra-crossing-77" }];
  scrubber.scrub(body(messages, true), { mime });
  scrubber.addKnown("zebra-crossing-77");
  expect(scrubber.scrub(body([...messages, { content: "more" }], true), { mime }).text).not.toContain("zebra");
});

test("cuts lie behind the objects that begin an array of the outermost object, and nowhere else", () => {
  const cutsOf = (text: string): string[] => {
    const cuts: Cut[] = [];
    jsonLeaves(text, false, cuts);
    return cuts.map(({ from, at }) => text.slice(from, at));
  };
  expect(cutsOf('{"a":[{"b":[4]},{"b":"}"} , {}],"c":"[,]","d":[ {"x":1} , "y", {} ]}')).toEqual([
    '{"b":[4]}',
    '{"b":[4]},{"b":"}"} ',
    '{"b":[4]},{"b":"}"} , {}',
    ' {"x":1} ',
  ]);
  // what is read together: texts, numbers, lists; columns, and values of a name beside them
  expect(cutsOf('{"a":[1,{}],"b":["x,]",{}],"c":[[{}],{}],"columns":[{},{}],"value":[{},{}]}')).toEqual([]);
  expect(cutsOf("[[{},2],[3]]")).toEqual([]);
  expect(cutsOf('{"a":[]}')).toEqual([]);
});
