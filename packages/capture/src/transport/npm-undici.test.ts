import { expect, test } from "vitest";
import { watchNpmUndici } from "./npm-undici.ts";

const seam = Symbol.for("reenact.undici/1");

test("an undici of another make is left alone", () => {
  const { undo } = watchNpmUndici();
  const seen = (process as unknown as Record<symbol, (exports: object) => void>)[seam];
  // what it is called from is the agent's own module
  expect(() => seen?.({ Agent: {}, util: {} })).not.toThrow();
  expect(seen).toBeTypeOf("function");
  undo();
  expect(seam in process).toBe(false);
});
