import { BSON } from "mongodb";
import { expect, test } from "vitest";
import { documentBytes, readableDocument } from "./documents.ts";

const id = new BSON.ObjectId("64b7f0c2a1b2c3d4e5f60718");

test.each([
  ["id", { id }, { id: { $oid: "64b7f0c2a1b2c3d4e5f60718" } }],
  ["date", { at: new Date(5) }, { at: new Date(5) }],
  ["whole double", { n: new BSON.Double(2) }, { n: { $numberDouble: "2.0" } }],
  ["numbers", { n: 2, part: 0.5, far: 2 ** 40 }, { n: 2, part: 0.5, far: 2 ** 40 }],
  ["no number", { n: new BSON.Double(Number.NaN) }, { n: Number.NaN }],
  ["long", { n: BSON.Long.fromString("9007199254740993") }, { n: { $numberLong: "9007199254740993" } }],
  ["decimal", { n: BSON.Decimal128.fromString("12.50") }, { n: { $numberDecimal: "12.50" } }],
  ["bytes", { b: new BSON.Binary(Buffer.from([0, 255]), 5) }, { b: { $binary: Uint8Array.of(0, 255), subType: 5 } }],
  ["timestamp", { t: new BSON.Timestamp({ t: 5, i: 1 }) }, { t: { $timestamp: { t: 5, i: 1 } } }],
  ["pattern", { r: /a.b/i }, { r: { $regularExpression: { pattern: "a.b", options: "i" } } }],
  ["keys", { a: new BSON.MinKey(), b: new BSON.MaxKey() }, { a: { $minKey: 1 }, b: { $maxKey: 1 } }],
  ["code", { c: new BSON.Code("f()", { n: 1 }) }, { c: { $code: "f()", $scope: { n: { $numberInt: "1" } } } }],
  ["symbol", { s: new BSON.BSONSymbol("s") }, { s: { $symbol: "s" } }],
  ["reference", { r: new BSON.DBRef("c", id) }, { r: { $ref: "c", $id: { $oid: "64b7f0c2a1b2c3d4e5f60718" } } }],
  ["names", { $set: { "a.b": null, list: [[1], {}] } }, { $set: { "a.b": null, list: [[1], {}] } }],
  ["a document named as a type", { d: { $oid: "x" } }, { d: { $document: { $oid: "x" } } }],
  ["a document named as a document", { d: { $document: 1 } }, { d: { $document: { $document: 1 } } }],
  ["an odd name", JSON.parse('{"d":{"__proto__":1}}') as object, JSON.parse('{"d":{"__proto__":1}}') as object],
])("%s: readable, and the same bytes again", (_, document, readable) => {
  const bytes = BSON.serialize(document);
  const shown = readableDocument(bytes, BSON);
  expect(shown).toEqual(readable);
  expect(Buffer.from(documentBytes(shown, BSON))).toEqual(Buffer.from(bytes));
});

test("bytes that redaction has left out are an error", () => {
  expect(() => documentBytes({ b: { $binary: "UNSCANNED_2", subType: 0 } }, BSON)).toThrow(/not whole/);
});

test.each([
  ["id", { $oid: "AUTH_abcd_efgh" }],
  ["long", { $numberLong: "CARD_abcd_efgh" }],
  ["decimal", { $numberDecimal: "CARD_abcd_efgh" }],
])(
  "%s: where redaction has replaced it, a value of its type stands for it, which is shown as the token again",
  (_, token) => {
    const bytes = documentBytes({ v: token }, BSON);
    expect(Buffer.from(documentBytes({ v: token }, BSON))).toEqual(Buffer.from(bytes));
    expect(readableDocument(bytes, BSON)).toEqual({ v: token });
    expect(() => BSON.deserialize(bytes)).not.toThrow();
  },
);

test("a large whole number is a number, which redaction knows by its name", () => {
  const bytes = BSON.serialize({ phone: 15551234567, n: new BSON.Double(-0) });
  const shown = readableDocument(bytes, BSON);
  expect(shown).toEqual({ phone: 15551234567, n: { $numberDouble: "-0.0" } });
  expect(Buffer.from(documentBytes(shown, BSON))).toEqual(Buffer.from(bytes));
});
