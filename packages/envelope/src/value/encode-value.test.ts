import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { EventEmitter } from "node:events";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeValue } from "./decode-value.ts";
import { encodeValue } from "./encode-value.ts";
import { renumberValue } from "./renumber-value.ts";
import { EnvelopeError } from "../envelope-error.ts";

function roundTrip<T>(value: T): T {
  const { text, lossy } = encodeValue(value);
  expect(lossy).toEqual([]);
  return decodeValue(text) as T;
}

test.each([
  ["undefined", undefined],
  ["null", null],
  ["numbers", [NaN, Infinity, -Infinity, -0, 0, 1e-300, 5e-324, Number.MAX_SAFE_INTEGER]],
  ["bigint", [0n, -12345678901234567890n]],
  ["strings", ["", "\ud800", "\u0000\u2028'%\"\\", "😀"]],
  ["date", [new Date(0), new Date(NaN)]],
  ["map and set", new Map<unknown, unknown>([[{ a: 1 }, new Set([1, "1", null])]])],
  ["regexp", /a[/]b/giu],
  ["url", [new URL("https://a.example/b?c#d"), new URLSearchParams("a=1&a=2")]],
  [
    "typed arrays",
    [new Uint8Array([1, 2]), new Float64Array([1.5]), new BigInt64Array([-1n]), new DataView(new ArrayBuffer(3))],
  ],
  ["buffer", [Buffer.from("pool"), new ArrayBuffer(2), new Uint8Array([1, 2, 3, 4]).subarray(1, 3)]],
  ["holes", Object.assign(Array.from({ length: 0 }), { 0: 1, 2: 3, length: 6 })],
  ["long holes", Object.assign([], { 100000: 1 })],
  ["named properties of an array", Object.assign(["ab"], { index: 3, groups: undefined })],
  ["object without prototype", Object.assign(Object.create(null), { a: 1 })],
  ["boxed", [Object(1), Object("s"), Object(1n), Object(false)]],
  ["symbol", Symbol.for("x")],
  [
    "properties that are not enumerable",
    Object.defineProperty({ a: 1 }, "_id", { value: "r", writable: true, configurable: true }),
  ],
  ["objects of another realm", runInNewContext("({a: [new Date(5), new Map([[1, 2]])]})")],
])("round trip of %s", (_, value) => {
  expect(roundTrip({ value })).toStrictEqual({ value: structuredCloneLike(value) });
});

/** Values of another realm come back as values of this one. */
function structuredCloneLike(value: unknown): unknown {
  const foreign =
    typeof value === "object" && value !== null && Object.getPrototypeOf(value) !== null && !(value instanceof Object);
  return foreign ? { a: [new Date(5), new Map([[1, 2]])] } : value;
}

test("cycles and shared references", () => {
  const shared = { deep: [1] };
  const cycle: Record<string, unknown> = { a: shared, b: shared, map: new Map() };
  cycle["self"] = cycle;
  (cycle["map"] as Map<unknown, unknown>).set(cycle, cycle);
  const back = roundTrip(cycle);
  expect(back["self"]).toBe(back);
  expect(back["a"]).toBe(back["b"]);
  expect((back["map"] as Map<unknown, unknown>).get(back)).toBe(back);
});

test("views of one whole buffer still share it", () => {
  const buffer = new ArrayBuffer(8);
  const [bytes, words] = roundTrip([new Uint8Array(buffer), new Uint16Array(buffer)] as const);
  bytes[0] = 7;
  expect(words[0]).toBe(7);
});

test("a Buffer never brings its pool along", () => {
  Buffer.from("a neighbour's secret");
  expect(encodeValue(Buffer.from("own")).text).toBe(`[["Buffer","${Buffer.from("own").toString("base64")}"]]`);
});

test("errors keep class, cause, own properties and stack", () => {
  class QuotaError extends RangeError {
    override name = "Quota";
    code = "E_QUOTA";
    detail = { left: 0n };
  }
  const error = new QuotaError("over", { cause: new TypeError("inner") });
  Object.assign(error, { self: error });
  const back = roundTrip(error) as QuotaError & { self: unknown };
  expect(back).toBeInstanceOf(RangeError);
  expect(back).not.toBeInstanceOf(QuotaError);
  expect(back.constructor.name).toBe("QuotaError");
  expect([back.name, back.message, back.code, back.detail, back.stack]).toEqual([
    "Quota",
    "over",
    "E_QUOTA",
    { left: 0n },
    error.stack,
  ]);
  expect(back.cause).toBeInstanceOf(TypeError);
  expect(back.self).toBe(back);
  expect(Object.keys(back).toSorted()).toEqual(Object.keys(error).toSorted());
});

test("built-in errors are of their class again", () => {
  const aggregate = roundTrip(new AggregateError([new SyntaxError("a"), 1], "all"));
  expect(aggregate).toBeInstanceOf(AggregateError);
  expect(aggregate.errors[0]).toBeInstanceOf(SyntaxError);
  expect(aggregate.errors[1]).toBe(1);
  const abort = roundTrip(new DOMException("gone", "AbortError"));
  expect(abort).toBeInstanceOf(DOMException);
  expect([abort.name, abort.code, abort.message]).toEqual(["AbortError", 20, "gone"]);
  expect(Object.hasOwn(roundTrip(new Error()), "message")).toBe(false);
});

test("an error keeps the message that an accessor makes, and one that is enumerable", () => {
  class Found extends Error {
    count = 4;
    override get message(): string {
      return `found ${this.count}`;
    }
  }
  const issues = Object.defineProperty(new Error(), "message", { get: () => "two issues", configurable: true });
  const late = Object.assign(new Error(), { message: "set later" });
  expect([new Found(), issues, late].map((error) => roundTrip(error)).map(String)).toEqual([
    "Error: found 4",
    "Error: two issues",
    "Error: set later",
  ]);
  expect(JSON.stringify(roundTrip(late))).toBe('{"message":"set later"}');
  expect(Object.keys(roundTrip(new Error("as ever")))).toEqual([]);
  const broken = Object.defineProperty(new Error(), "message", {
    get: () => {
      throw new Error("unreadable");
    },
  });
  expect(decodeValue(encodeValue(broken).text)).toMatchObject({ message: "" });
});

test("what cannot be encoded is named, never silently {}", () => {
  class Order {
    id = 7;
  }
  class Empty {
    read() {
      return 1;
    }
  }
  const value = {
    run: () => 1,
    unique: Symbol("u"),
    proxy: new Proxy({ a: 1 }, { ownKeys: () => expect.unreachable() }),
    get bad() {
      throw new TypeError("no");
    },
    promise: Promise.resolve(),
    emitter: new EventEmitter(),
    empty: new Empty(),
    order: new Order(),
    [Symbol("hidden")]: 1,
  };
  const { text, lossy } = encodeValue(value);
  expect(lossy.toSorted()).toEqual([
    "bad: property that throws TypeError could not be encoded",
    "emitter: EventEmitter could not be encoded",
    "empty: Empty could not be encoded",
    "order: Order kept as its own data",
    "promise: Promise could not be encoded",
    "proxy: proxy could not be encoded",
    "run: function run could not be encoded",
    "unique: symbol u could not be encoded",
    "value: property Symbol(hidden) left out",
  ]);
  const back = decodeValue(text) as Record<string, unknown>;
  expect(back["run"]).toEqual({ "reenact.placeholder": "function run" });
  expect(back["order"]).toEqual({ id: 7 });
});

test("never throws, whatever is hostile", () => {
  const hostile = [
    Object.defineProperty({}, "constructor", { get: () => expect.unreachable() }),
    Object.defineProperty(new Error("x"), "name", {
      get: () => {
        throw new Error("name");
      },
      enumerable: true,
    }),
    Object.create(
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("proto");
          },
        },
      ),
    ) as object,
    new (class extends Map<number, number> {
      override entries(): never {
        throw new Error("entries");
      }
    })([[1, 2]]),
    {
      toJSON: () => {
        throw new Error("json");
      },
    },
    Object.setPrototypeOf({}, Date.prototype) as object,
  ];
  for (const each of hostile) expect(() => decodeValue(encodeValue([each]).text)).not.toThrow();
});

test("deep values do not overflow", () => {
  let deep: unknown = null;
  for (let at = 0; at < 100_000; at++) deep = { deep };
  expect(() => decodeValue(encodeValue(deep).text)).not.toThrow();
});

test("headers come back with all values of a name", () => {
  const headers = new Headers([
    ["X-B", "1"],
    ["set-cookie", "a=1"],
    ["Set-Cookie", "b=2"],
    ["x-b", "2"],
  ]);
  const { text, lossy } = encodeValue({ headers, same: headers });
  expect(lossy).toEqual([]);
  expect(renumberValue(text)).toBe(text);
  const back = decodeValue(text) as { headers: Headers; same: Headers };
  expect(back.headers).toBeInstanceOf(Headers);
  expect(back.same).toBe(back.headers);
  expect([[...back.headers], back.headers.getSetCookie()]).toEqual([[...headers], ["a=1", "b=2"]]);
  expect(() => decodeValue('[["Headers",1,1],"a b"]')).toThrow(EnvelopeError);
});

test("__proto__ is never a prototype", () => {
  const back = decodeValue('[{"__proto__":1},{"admin":2},true]') as Record<string, unknown>;
  expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  expect(back["admin"]).toBeUndefined();
});

test.each([
  "",
  "{}",
  "[]",
  "7",
  "[[1]]",
  "[[-9]]",
  '[["Fetch","x"]]',
  '[["Uint8Array",0]]',
  '[["Float64Array","AA=="]]',
  '[["Error","a","Function","n",null,"",{}]]',
  '[["Error","a","Error","n",null,""]]',
  '[["Error","a","Error","n",null,"",{},7]]',
  '[["Map",0]]',
  '[["RegExp","(","g",0]]',
  '[["Array",-1,{}]]',
  '[["Boxed",-1]]',
  '[{"a":1.5}]',
])("refuses %s", (text) => {
  expect(() => decodeValue(text)).toThrow(EnvelopeError);
});

test("round trip of any value", () => {
  const any = fc.anything({
    withBigInt: true,
    withBoxedValues: true,
    withDate: true,
    withMap: true,
    withSet: true,
    withNullPrototype: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  fc.assert(
    fc.property(any, (value) => {
      expect(roundTrip(value)).toStrictEqual(value);
    }),
    { numRuns: 500 },
  );
});

test("any text gives a value or a named error", () => {
  const node = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.array(
      fc.oneof(
        fc.constantFrom("Map", "Set", "Error", "Array", "Boxed", "Uint8Array", "null", "object", "?"),
        fc.integer({ min: -8, max: 8 }),
        fc.jsonValue({ maxDepth: 1 }),
      ),
    ),
  );
  fc.assert(
    fc.property(fc.array(node), (nodes) => {
      try {
        decodeValue(JSON.stringify(nodes));
      } catch (error) {
        expect(error).toBeInstanceOf(EnvelopeError);
      }
    }),
    { numRuns: 500 },
  );
});

test("a request that a server got is what it asks", async () => {
  const got = Promise.withResolvers<IncomingMessage>();
  const server = createServer((request, response) => {
    got.resolve(request);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/ask?a=1`, { method: "POST", body: "{}" });
  server.close();
  const request = Object.assign(await got.promise, { body: { question: "why?" } });
  const { text, lossy } = encodeValue([request]);
  expect(decodeValue(text)).toEqual([{ method: "POST", url: "/ask?a=1", body: { question: "why?" } }]);
  expect(lossy).toEqual(["[0]: IncomingMessage kept as what it asks"]);
});
