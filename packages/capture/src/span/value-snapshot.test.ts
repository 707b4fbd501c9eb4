import { encodeUpTo, encodeValue } from "@reenact/envelope";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { runInNewContext } from "node:vm";
import { plainJson } from "../redact/plain-json.ts";
import { copiedJson, encodeOrCopy, snapshotOf, type TypedText, typedOf } from "./value-snapshot.ts";

/** Makes any value large enough to be copied. */
const large = (value: unknown): unknown => ({ value, text: "long".repeat(20_000) });
const copied = (value: unknown) => snapshotOf(large(value));
const rowsOf = (length: number) => Array.from({ length }, (_, id) => ({ id, name: `row ${id}` }));

const leaf = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.bigInt(),
  fc.constantFrom<unknown>(null, undefined, -0, NaN, Infinity, "\ud800", "", "__proto__", 2 ** 53),
  fc.date({ noInvalidDate: false }),
);
const name = fc.oneof(fc.string(), fc.constantFrom("__proto__", "1", "01", "-1", "toString", "length", "then"));
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    leaf,
    fc.array(tie("value")),
    fc.array(fc.option(tie("value"), { nil: undefined })).map((list) => list.filter((_, at) => at % 2 === 0)),
    fc.dictionary(name, tie("value"), { noNullPrototype: true }),
    fc.array(fc.tuple(tie("value"), tie("value"))).map((entries) => new Map(entries)),
    fc.array(tie("value")).map((items) => new Set(items)),
    tie("value").map((shared) => [shared, { shared }]),
  ),
}));

test("a copy comes to the same typed text and the same JSON as the value", () => {
  let accepted = 0;
  fc.assert(
    fc.property(anything, (value) => {
      const all = large(value);
      const copy = snapshotOf(all);
      if (copy === null) return;
      accepted++;
      const { text, lossy } = encodeValue(all);
      expect(lossy).toEqual([]);
      expect(typedOf(copy)).toBe(text);
      expect(copiedJson(copy, "value")).toBe(plainJson(all, text));
    }),
    { numRuns: 300 },
  );
  expect(accepted).toBeGreaterThan(200);
});

const cycle: Record<string, unknown> = {};
cycle["self"] = cycle;
let deep: unknown = 1;
for (let level = 0; level < 20_000; level++) deep = [deep];
const shared = Array.from({ length: 22 }).reduce((inner) => [inner, inner], {});

test.each<[string, unknown]>([
  [
    "a class instance",
    new (class Row {
      id = 1;
    })(),
  ],
  ["an error", new Error("x")],
  ["an object without a prototype", Object.create(null)],
  ["an object of another realm", runInNewContext("({})")],
  ["an array of a class", new (class Rows extends Array {})()],
  ["a map of a class", new (class Table extends Map {})()],
  ["a map with a member", Object.assign(new Map(), { a: 1 })],
  ["a date with a member", Object.assign(new Date(), { a: 1 })],
  ["what a pattern found", /(?<a>b)/.exec("abc")],
  ["a function", () => 1],
  ["an own toJSON", { toJSON: () => 1 }],
  ["a symbol", Symbol.for("a")],
  ["a member under a symbol", { [Symbol("a")]: 1 }],
  ["a member that is not enumerable", Object.defineProperty({}, "a", { value: 1 })],
  [
    "a getter that throws",
    Object.defineProperty({}, "a", { enumerable: true, get: () => Reflect.apply(fail, null, []) }),
  ],
  ["a proxy", new Proxy({}, {})],
  ["bytes", Buffer.from("a")],
  ["a typed array", new Uint8Array(2)],
  ["a boxed value", Object("a")],
  ["an address", new URL("https://a.example")],
  ["an expression", /a/],
  ["a promise", Promise.resolve()],
  ["a circle", cycle],
  ["objects shared so often that there is no end of them", shared],
  ["a value nested too deeply", deep],
  ["a list of holes", Object.assign([], { length: 4e9 })],
])("%s is not copied", (_, value) => {
  expect(copied(value)).toBeNull();
});
function fail(): never {
  throw new Error("not to be read");
}

const ways: Record<string, unknown>[] = [];
afterEach(() => {
  for (const prototype of ways.splice(0)) delete prototype["toJSON"];
});
test.each([Object.prototype, Array.prototype, String.prototype, BigInt.prototype])(
  "nothing is copied where a program gives values another JSON",
  (prototype) => {
    expect(copied(1)).not.toBeNull();
    ways.push(prototype as never);
    Object.defineProperty(prototype, "toJSON", { configurable: true, value: () => "other" });
    expect(copied(1)).toBeNull();
  },
);

test("what the agent changes afterwards is not in the copy", () => {
  const rows = rowsOf(9000);
  const { text } = encodeValue(rows);
  const copy = snapshotOf(rows) as TypedText;
  for (const row of rows) row.name = "changed";
  expect(typedOf(copy)).toBe(text);
});

test("only a large value is copied, and only where another thread encodes it", () => {
  const rows = rowsOf(9000);
  expect(typeof encodeOrCopy(rows, () => false).text).toBe("string");
  expect(typeof encodeOrCopy(rows, () => true).text).toBe("object");
  const never = (): never => fail();
  expect(typeof encodeOrCopy(["a".repeat(1e6)], never).text).toBe("string");
  // many members, few bytes
  const small = Array.from({ length: 5000 }, (_, at) => at % 9);
  expect(encodeOrCopy(small, () => true)).toEqual(encodeValue(small));
});

test("the agent's thread encodes no more members of a value that is copied than its bound", () => {
  const rows = rowsOf(9000);
  let reads = 0;
  for (const row of rows) Object.defineProperty(row, "name", counted("x"));
  encodeOrCopy(rows, () => true);
  function counted(it: string) {
    return { enumerable: true, get: () => (reads++, it) };
  }
  // once by the copy and once by the look at it; 4,000 members hold 1,400 of them
  expect(reads).toBeGreaterThanOrEqual(2 * 9000);
  expect(reads).toBeLessThanOrEqual(2 * 9000 + 1400);
});

test("encodeUpTo gives up at the first member too many, and is encodeValue below", () => {
  expect(encodeUpTo(1, { a: 1 })).toBeNull();
  fc.assert(
    fc.property(anything, (value) => {
      expect(encodeUpTo(1e9, value)).toEqual(encodeValue(value));
    }),
  );
});
