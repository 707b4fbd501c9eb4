import { expect, test } from "vitest";
import { OutputPlaces } from "./output-places.ts";

test("each change is kept with the write and the line at which it shows", () => {
  const places = new OutputPlaces();
  places.wrote("a\nb\n", 0);
  places.wrote(Buffer.from("c\n"), 2);
  places.wrote("d", 2);
  places.wrote("e", 3);
  expect(places.facts()).toEqual({ places: [1, 2, 2, 3, 3, 3] });
});

test("behind a write of another run nothing is kept, and the changes are bounded", () => {
  const foreign = new OutputPlaces();
  foreign.wrote("a", 1);
  foreign.wrote("b", null);
  foreign.wrote("c", 2);
  expect(foreign.facts()).toEqual({ places: [0, 1, 0] });
  const many = new OutputPlaces();
  for (let i = 1; i < 10_000; i++) many.wrote("a", i);
  expect(many.facts().places).toHaveLength(1500);
});
