import { expect, test } from "vitest";
import { ContinuedClock } from "./continued-clock.ts";

test("a clock that is ahead of the record is the real one", () => {
  const clock = new ContinuedClock();
  clock.saw("D", 1000);
  expect(clock.continued("D", 5000)).toBe(5000);
});

test("a clock that is behind what the program has read goes on from there", () => {
  const clock = new ContinuedClock();
  clock.saw("P", 9000);
  clock.saw("P", 8000);
  clock.saw("H", "9007199254740993000");
  expect([clock.continued("P", 300), clock.continued("P", 450)]).toEqual([9000, 9150]);
  expect([clock.continued("H", "5"), clock.continued("H", "7")]).toEqual([
    "9007199254740993000",
    "9007199254740993002",
  ]);
});

test("where the process began is no reading of its clock, and random values are not touched", () => {
  const clock = new ContinuedClock();
  clock.saw("P", 1_760_000_000_000);
  clock.saw("R", 0.9);
  expect([clock.continued("P", 300), clock.continued("P", 1_770_000_000_000), clock.continued("R", 0.1)]).toEqual([
    300, 1_770_000_000_000, 0.1,
  ]);
});
