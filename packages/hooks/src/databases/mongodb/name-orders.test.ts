import { expect, test } from "vitest";
import { nameOrders } from "./name-orders.ts";

test.each([
  ["names of a filter", { find: "c", filter: { b: 1, a: 2 } }, {}],
  ["a document in a filter", { find: "c", filter: { a: { y: 2, x: 1 } } }, { "filter.a": ["y", "x"] }],
  ["the same in the order of the alphabet", { find: "c", filter: { a: { x: 1, y: 2 } } }, {}],
  ["operators", { find: "c", filter: { a: { $lt: 2, $gt: 1 }, $or: [{ b: 1, a: 2 }] } }, {}],
  ["a compared document", { find: "c", filter: { a: { $in: [{ y: 1, x: 1 }] } } }, { "filter.a.$in.0": ["y", "x"] }],
  ["a sort", { find: "c", filter: {}, sort: { b: 1, a: -1 } }, { sort: ["b", "a"] }],
  [
    "keys of an index",
    { createIndexes: "c", indexes: [{ name: "n", key: { b: 1, a: 1 } }] },
    { "indexes.0.key": ["b", "a"] },
  ],
  ["an inserted document", { insert: "c", documents: [{ b: 1, a: { y: 1, x: [] } }] }, { "documents.0.a": ["y", "x"] }],
  [
    "an update",
    { update: "c", updates: [{ u: { $set: { b: { y: 1, x: 1 } } }, q: {} }] },
    { "updates.0.u.$set.b": ["y", "x"] },
  ],
  [
    "a pipeline",
    { aggregate: "c", pipeline: [{ $match: { b: 1, a: 1 } }, { $sort: { b: 1, a: 1 } }] },
    { "pipeline.1.$sort": ["b", "a"] },
  ],
  ["options of a command", { find: "c", collation: { strength: 2, locale: "en" } }, {}],
])("%s", (_, command, orders) => {
  expect(nameOrders(command)).toEqual(orders);
});
