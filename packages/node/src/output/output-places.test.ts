import { expect, test } from "vitest";
import { OutputPlaces } from "./output-places.ts";

test("each change is kept with the line and the byte from which on it holds", () => {
  const places = new OutputPlaces();
  places.wrote("a\nb\n", 0);
  places.wrote(Buffer.from("c\n"), 2);
  places.wrote("d", 2);
  places.wrote("e", 3);
  expect(places.facts()).toEqual({ places: [2, 0, 2, 3, 1, 3] });
});

test("a line that is written in parts stands where one does that is written at once", () => {
  const [parts, once] = [new OutputPlaces(), new OutputPlaces()];
  for (const part of ["gr", "\u00fc\u00df", "e\n"]) parts.wrote(part, 1);
  once.wrote(Buffer.from("gr\u00fc\u00dfe\n"), 1);
  for (const each of [parts, once]) each.wrote("next\n", 2);
  expect(parts.facts()).toEqual(once.facts());
});

test("behind a write of another run nothing is kept, and the changes are bounded", () => {
  const foreign = new OutputPlaces();
  foreign.wrote("a", 1);
  foreign.wrote("b", null);
  foreign.wrote("c", 2);
  expect(foreign.facts()).toEqual({ places: [0, 0, 1] });
  const many = new OutputPlaces();
  for (let i = 1; i < 10_000; i++) many.wrote("a", i);
  expect(many.facts().places).toHaveLength(1500);
});
