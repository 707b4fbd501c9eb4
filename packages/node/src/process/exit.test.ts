import { expect, test } from "vitest";
import { watchExit } from "./exit.ts";

test("a fault of the recorder at the end does not become the program's", () => {
  const before = process.listeners("exit");
  const unwatch = watchExit({
    ending() {
      throw new Error("a bug");
    },
    isSuspended: () => false,
  });
  const [onExit] = process.listeners("exit").filter((listener) => !before.includes(listener));
  unwatch();
  expect(() => onExit?.call(process, 0)).not.toThrow();
  expect(onExit).toBeDefined();
});
