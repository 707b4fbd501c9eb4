import fc from "fast-check";
import { expect, test } from "vitest";
import type { Waypoint } from "../tape/journal-tape.ts";
import { StartOrder } from "./start-order.ts";

const starts = (count: number): Waypoint[] => Array.from({ length: count }, (_, id) => ({ k: "s", id, scope: -1 }));

test("in order, nothing is left out", () => {
  const order = new StartOrder(starts(3));
  expect([order.next, order.reached(0), order.reached(1), order.next, order.reached(2), order.next]).toEqual([
    0,
    [],
    [],
    2,
    [],
    null,
  ]);
});

test("a step that never comes is told once", () => {
  const order = new StartOrder(starts(5));
  expect([0, 2, 3, 4].map((step) => order.reached(step))).toEqual([[], [1], [], []]);
});

test("of two swapped steps the early one is told", () => {
  const order = new StartOrder(starts(3));
  expect([1, 0, 2].map((step) => order.reached(step))).toEqual([[0], [], []]);
});

test("a step outside the order changes nothing", () => {
  const order = new StartOrder(starts(2));
  expect([order.reached(9), order.next, order.reached(0)]).toEqual([[], 0, []]);
});

test("whatever is left out has not started before, and is told once", () => {
  fc.assert(
    fc.property(fc.shuffledSubarray([...Array(12).keys()]), (steps) => {
      const order = new StartOrder(starts(12));
      const told: number[] = [];
      steps.forEach((step, at) => {
        for (const left of order.reached(step)) {
          expect(left).toBeLessThan(step);
          expect(steps.slice(0, at)).not.toContain(left);
          told.push(left);
        }
      });
      expect(new Set(told).size).toBe(told.length);
      const inOrder = steps.every((step, at) => at === 0 || step > (steps[at - 1] as number));
      // in order, exactly what is missing before the last step is told
      if (inOrder && steps.length > 0)
        expect(told).toEqual([...Array(steps.at(-1) as number).keys()].filter((n) => !steps.includes(n)));
    }),
  );
});
