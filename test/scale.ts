const level = process.env["TEST_SCALE"] ?? "small";

/** How much of a heavy test to do: `small` in `npm test`, `ci` in `.ci/run`, `full` by hand (TEST_SCALE=full). */
export function scale<T = number>(small: T, ci: T, full: T): T {
  if (level === "small") return small;
  if (level === "ci") return ci;
  if (level === "full") return full;
  throw new Error(`TEST_SCALE is "${level}": use small, ci or full`);
}
