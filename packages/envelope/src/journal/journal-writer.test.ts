import { hash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { EnvelopeError } from "../envelope-error.ts";
import { type DrawLetter, type JournalEvent, mapJournalStrings } from "./journal-event.ts";
import { JournalWriter } from "./journal-writer.ts";
import { parseJournal } from "./parse-journal.ts";

test("the worked run of SPEC.md", () => {
  const journal = new JournalWriter();
  journal.draw("D", -1, 1763800000000);
  expect(journal.append({ k: "s", id: 0, scope: -1 })).toBe(0);
  expect(journal.append({ k: "s", id: 1, scope: -1 })).toBe(1);
  expect(journal.append({ k: "h", id: 1, scope: -1 })).toBe(3);
  journal.append({ k: "c", id: 1, part: 0, scope: -1 });
  journal.append({ k: "t", id: 0, scope: -1 });
  journal.append({ k: "h", id: 0, scope: -1 });
  journal.append({ k: "c", id: 0, part: 0, scope: -1 });
  expect(journal.append({ k: "e", id: 0, scope: -1 })).toBe(8);
  expect(journal.cut()).toEqual({ from: 0, events: "ssD1763800000000;h1cth0ce" });
  journal.append({ k: "c", id: 1, part: 1, scope: -1 });
  journal.draw("P", -1, 61.125);
  journal.append({ k: "c", id: 1, part: 2, scope: -1 });
  journal.append({ k: "e", id: 1, scope: -1 });
  expect(journal.cut()).toEqual({ from: 9, events: "c1.1P61125000;ce" });
  expect(journal.cut()).toEqual({ from: 13, events: "" });
  const text = "ssD1763800000000;h1cth0ce\nc1.1P61125000;ce\n";
  expect(journal.totals()).toEqual({ count: 13, sha256: hash("sha256", text) });
});

test("draws are grouped per kind and scope between two deliveries", () => {
  const journal = new JournalWriter();
  journal.draw("D", -1, 1000);
  journal.draw("R", 4, 0.5);
  journal.append({ k: "s", id: 0, scope: -1 });
  journal.draw("D", -1, 1003);
  journal.append({ k: "t", id: 0, scope: 4 });
  journal.draw("D", -1, 1002);
  expect(journal.position).toBe(4);
  expect(parseJournal(journal.cut().events)).toEqual([
    { k: "s", id: 0, scope: -1 },
    { k: "v", kind: "D", values: [1000, 1003], scope: -1 },
    { k: "v", kind: "R", values: [0.5], scope: 4 },
    { k: "t", id: 0, scope: 4 },
    { k: "v", kind: "D", values: [1002], scope: -1 },
  ]);
});

test("totals say the same before and after the cut, and hold when strings are redacted", () => {
  const journal = new JournalWriter();
  journal.append({ k: "f", label: "TCPWRAP#1", scope: -1 });
  journal.draw("U", -1, "it's 100%");
  const before = journal.totals();
  const { events } = journal.cut();
  expect(journal.totals()).toEqual(before);
  const redacted = mapJournalStrings(events, (text) => text.replace("100%", "SECRET_abcd_qwertyuiopasdfgh'"));
  expect(parseJournal(redacted)[1]).toMatchObject({ values: ["it's SECRET_abcd_qwertyuiopasdfgh'"] });
  expect(before.sha256).toBe(hash("sha256", "f''U'';\n"));
  expect(mapJournalStrings(events, (text) => text)).toBe(events);
});

test("a number that could not be read back is never written", () => {
  const journal = new JournalWriter();
  for (const id of [-1, 1.5, NaN, 2 ** 53]) expect(() => journal.append({ k: "t", id, scope: -1 })).toThrow(RangeError);
  expect(journal.cut()).toEqual({ from: 0, events: "" });
});

test.each([
  ["c", 1],
  ["x", 0],
  ["sD1", 3],
  ["D1,;", 3],
  ["Rzz!;", 4],
  ["U12;", 3],
  ["f", 1],
  ["f'a", 1],
  ["s99999999999999999", 17],
  ["T=1e;", 4],
])("refuses %s", (text, offset) => {
  const parse = () => parseJournal(text, 5);
  expect(parse).toThrow(expect.objectContaining({ code: "BAD_JOURNAL", offset }));
});

const plain = { noNullPrototype: true };
const count = fc.integer({ min: 0, max: 12 });
const scope = fc.constantFrom(-1, -1, 0, 7);
const number = fc.oneof(
  fc.double(),
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ min: 0, max: 1, maxExcluded: true }),
  fc.nat().map((nanos) => nanos / 1e6),
);
const values = fc.array(fc.oneof(number, fc.string({ unit: "binary" }), fc.bigInt().map(String)), {
  minLength: 1,
  maxLength: 4,
});
const kind = fc.constantFrom<DrawLetter>("D", "P", "R", "U", "B", "H", "N", "T", "M", "W", "G");
const event: fc.Arbitrary<JournalEvent> = fc.oneof(
  fc.record(
    {
      k: fc.constantFrom("s" as const, "h" as const, "e" as const, "t" as const, "o" as const, "a" as const),
      id: count,
      scope,
    },
    plain,
  ),
  fc.record({ k: fc.constant("c" as const), id: count, part: count, scope }, plain),
  fc.record({ k: fc.constant("f" as const), label: fc.string(), scope }, plain),
  fc.record({ k: fc.constant("v" as const), kind, values, scope }, plain),
);

test("round trip of any journal, cut anywhere", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(event, fc.boolean())), (events) => {
      const journal = new JournalWriter();
      const read: JournalEvent[] = [];
      for (const [each, cut] of events) {
        journal.append(each);
        if (!cut) continue;
        const segment = journal.cut();
        expect(segment.from).toBe(read.length);
        read.push(...parseJournal(segment.events));
      }
      read.push(...parseJournal(journal.cut().events));
      expect(read).toStrictEqual(events.map(([each]) => each));
      expect(journal.totals().count).toBe(read.length);
    }),
    { numRuns: 500 },
  );
});

test("the parts of a segment, put together, are its text", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(event, fc.constantFrom("part", "cut", "nothing"))), (events) => {
      const journal = new JournalWriter();
      let known = { from: 0, events: "" };
      for (const [each, then] of events) {
        journal.append(each);
        if (then === "part") {
          const { from, at, events: more } = journal.takePart();
          if (from !== known.from) known = { from, events: "" };
          expect(at).toBe(known.events.length);
          known.events += more;
          expect(known).toEqual(journal.segmentSoFar());
        }
        if (then === "cut") journal.cut();
      }
    }),
    { numRuns: 300 },
  );
});

test("any text gives events or a named error", () => {
  const piece = fc.constantFrom(
    "s",
    "h1",
    "c",
    ".2",
    "@",
    "@3",
    "D",
    "-5",
    ",",
    ";",
    "f",
    "'x'",
    "R0a",
    "=",
    "1e9",
    "U",
    "H",
    "'",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(piece).map((all) => all.join("")),
        fc.string(),
      ),
      (text) => {
        try {
          parseJournal(text);
        } catch (error) {
          expect(error).toBeInstanceOf(EnvelopeError);
        }
      },
    ),
    { numRuns: 1000 },
  );
});
