import { expect, test } from "vitest";
import {
  diffSearch,
  parseSearch,
  runSearch,
  runsSearch,
  settingsSearch,
  stringifySearch,
  workbenchSearch,
} from "./search.ts";

/** What a page reads from the address that it has written. */
const again = <State extends Record<string, unknown>>(
  read: (search: Record<string, unknown>) => object,
  state: State,
) =>
  Object.fromEntries(
    Object.entries(read(parseSearch(stringifySearch({ ...state })))).filter(([, value]) => value !== undefined),
  );

test("an id that looks like a number stays the text that it is, in the address and behind it", () => {
  for (const replay of ["828e063523321280", "0000000000000015", "1234567812345678"]) {
    expect(stringifySearch({ replay })).toBe(`?replay=${replay}`);
    expect(again(workbenchSearch, { replay })).toEqual({ replay });
    expect(again(runSearch, { step: replay })).toEqual({ step: replay });
  }
});

test("what a page has written into its address it reads again", () => {
  expect(again(runsSearch, { filter: 'cost>1e5 "two words" + 1', order: "cost" })).toEqual({
    filter: 'cost>1e5 "two words" + 1',
    order: "cost",
  });
  expect(again(runSearch, { step: 6, tab: "raw", find: "true", fold: true })).toEqual({
    step: 6,
    tab: "raw",
    find: "true",
    fold: true,
  });
  expect(again(diffSearch, { row: 3, all: true })).toEqual({ row: 3, all: true });
  expect(again(settingsSearch, { short: "12h", share: 0.5 })).toEqual({ short: "12h", share: 0.5 });
  expect(stringifySearch({ filter: undefined })).toBe("");
});

test("what is none of its words is left out", () => {
  const read = { step: undefined, tab: undefined, as: undefined, find: undefined, fold: undefined };
  expect(runSearch(parseSearch("?step=-1&tab=what&fold=maybe"))).toEqual(read);
});
