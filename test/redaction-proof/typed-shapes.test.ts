import { isBoxedPrimitive } from "node:util/types";
import { decodeValue, encodeValue, VALUE_MIME } from "@reenact/envelope";
import { createScrubber } from "@reenact/redaction";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { scale } from "../scale.ts";
import { drawing, formsOf, shapelessValue } from "./canary.ts";
import { type Shape, secretShapes, shapes } from "./shapes.mjs";

const scrubber = createScrubber({ key: Buffer.alloc(32, 5) });
const draw = drawing(7);
const passport = (): string => `KX${1000000 + draw(8999999)}QZ`;
const NAMES: [name: string, shapes: Readonly<Record<string, Shape>>, value: () => string][] = [
  ["password", { ...shapes, ...secretShapes }, () => shapelessValue(draw)],
  ["client_secret", { ...shapes, ...secretShapes }, () => shapelessValue(draw)],
  ["passport_number", shapes, passport],
];
const cases = NAMES.flatMap(([name, table, value]) =>
  Object.entries(table).map(([shape, make]): [string, string, Shape, string] => [name, shape, make, value()]),
);

describe("a value in any shape goes, and its shape stays", () => {
  test.each(cases)("under %s: %s", (name, _, make, value) => {
    const encoded = encodeValue(make(name, value), { stacks: false });
    const { text } = scrubber.scrub(encoded.text, { mime: VALUE_MIME });
    const bytes = Buffer.from(text).toString("latin1");
    expect(formsOf(value).filter((form) => bytes.includes(form))).toEqual([]);
    const back = decodeValue(text);
    expect(Object.prototype.toString.call(back)).toBe(Object.prototype.toString.call(decodeValue(encoded.text)));
    expect(scrubber.scrub(text, { mime: VALUE_MIME }).text).toBe(text);
    // a replay encodes what it was served
    const again = (typed: string): string => encodeValue(decodeValue(typed), { stacks: false }).text;
    if (again(encoded.text) === encoded.text) expect(again(text)).toBe(text);
  });
});

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };
const NAME = fc.constantFrom(
  ..."password apiKey client_secret token pin credentials ssn passport_number dob phone zip last_name address email".split(
    " ",
  ),
  ..."name value key label headers rawHeaders header columns rows fields data id user_id note authorization cookie".split(
    " ",
  ),
  ..."message error stack model logprobs created_at kty d k text field iban card_number".split(" "),
);
const TEXT = fc.oneof(
  fc.constantFrom("hunter2-x9-Zebra4", "1983-02-23", "2025550128", "078051120", "KX7482913QZ", "alice@example.com"),
  fc.constantFrom(
    "Mia",
    "Bearer k3y-9f8e7d6c5b4a",
    "sid=9f8e7d6c5b; theme=dark",
    "4111111111111111",
    "",
    "db",
    "Berlin",
  ),
  fc.constantFrom('{"password":"inner-7x9Q"}', "x=1&password=form-7x9Q", "https://u:pw-7x9Q@h.example/?token=t-7x9Q"),
  NAME,
  fc.string({ maxLength: 6 }),
);
const NUMBER = fc.oneof(fc.constantFrom(0, 7, 123456789, 94043, 4111111111111111, 2025550128, 1234, 0.5), fc.integer());
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    TEXT,
    NUMBER,
    fc.constantFrom(true, null),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.array(fc.tuple(NAME, tie("tree")), { maxLength: 5 }).map((entries) => Object.fromEntries(entries) as Json),
    fc.tuple(NAME, tie("tree")).map(([name, value]) => ({ name, value })),
  ),
}));

class Row {
  describe(): string {
    return "a row";
  }
}

/** The same value as a program may hold it: maps, sets, instances and boxes. */
function dressed(value: Json, pick: () => number): unknown {
  if (typeof value === "string") return pick() === 0 ? Object(value) : value;
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => dressed(item, pick));
    return pick() === 0 && canBeSet(items) ? new Set(items) : items;
  }
  const entries = Object.entries(value).map(([name, item]): [string, unknown] => [name, dressed(item, pick)]);
  const plain = Object.fromEntries(entries);
  if (pick() === 0) return new Map(entries);
  if (pick() === 1) return Object.assign(Object.create(null) as object, plain);
  // an instance without data is a placeholder
  return pick() === 2 && entries.length > 0 ? Object.assign(new Row(), plain) : plain;
}

/** Numbers of as many digits are replaced by one number, so that a set of several would lose members. */
function canBeSet(items: readonly unknown[]): boolean {
  return new Set(items).size === items.length && items.filter((item) => typeof item === "number").length < 2;
}

function undressed(value: unknown): Json {
  if (value instanceof Map) return undressed(Object.fromEntries(value));
  if (value instanceof Set) return [...value].map(undressed);
  if (isBoxedPrimitive(value)) return value.valueOf() as Json;
  if (Array.isArray(value)) return value.map(undressed);
  if (typeof value !== "object" || value === null) return value as Json;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, undressed(item)]));
}

test("a value has one verdict, typed and in JSON, plain, pretty and in a prompt", { timeout: 120_000 }, () => {
  const json = (text: string): string => scrubber.scrub(text, { mime: "application/json" }).text;
  fc.assert(
    fc.property(tree, fc.infiniteStream(fc.nat(5)), (value, stream) => {
      const pick = (): number => stream.next().value;
      const wanted = JSON.parse(json(JSON.stringify({ of: value }))) as { of: Json };
      expect(JSON.parse(json(JSON.stringify({ of: value }, null, 2)))).toEqual(wanted);
      const prompt = JSON.parse(json(JSON.stringify({ content: JSON.stringify({ of: value }, null, 1) }))) as Json;
      expect(JSON.parse((prompt as { content: string }).content)).toEqual(wanted);
      const typed = (held: unknown): Json =>
        undressed(decodeValue(scrubber.scrub(encodeValue({ of: held }).text, { mime: VALUE_MIME }).text));
      expect(typed(value)).toEqual(wanted);
      expect(typed(dressed(value, pick))).toEqual(wanted);
    }),
    { numRuns: scale(3000, 5000, 30000) },
  );
});

test("what the class of an error makes has the verdict that it has in JSON", { timeout: 120_000 }, () => {
  const scrub = (value: unknown): unknown =>
    JSON.parse(scrubber.scrub(JSON.stringify(value), { mime: "application/json" }).text);
  fc.assert(
    fc.property(tree, TEXT, TEXT, NAME, (value, detail, text, name) => {
      class Held extends Error {
        get detail(): string {
          return detail;
        }
        override toString(): string {
          return text;
        }
        toJSON(): Json {
          return { of: value };
        }
      }
      const error = Object.assign(new Held("m"), { stack: "" });
      const shown = { detail, toString: text, toJSON: { of: value }, stack: "", message: "m" };
      const wanted = scrub({ [name]: shown }) as Record<string, Record<string, unknown>>;
      const encoded = encodeValue({ [name]: error });
      expect(encoded.lossy).toEqual([]);
      const back = decodeValue(scrubber.scrub(encoded.text, { mime: VALUE_MIME }).text);
      const of = Object.values(back as object)[0] as Held;
      const asked = Object.values(wanted)[0] ?? {};
      if (!isSecret(name)) expect([of.detail, String(of)]).toEqual([asked["detail"], asked["toString"]]);
      expect(of.toJSON()).toEqual(asked["toJSON"]);
    }),
    { numRuns: scale(1000, 3000, 20000) },
  );
});

const isSecret = (name: string): boolean =>
  scrubber.scrub("hunter2-x9-Zebra4", { key: name }).text !== "hunter2-x9-Zebra4";
