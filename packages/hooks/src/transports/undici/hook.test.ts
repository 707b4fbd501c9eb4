import { watchHooks } from "@reenact/capture/hook";
import { expect, test } from "vitest";
import { undici } from "./hook.ts";

test("an undici of another make is left alone", () => {
  expect(() => undici.patch?.({ Agent: {}, util: {} } as never, [])).toThrow();
  const { undo } = watchHooks([undici]);
  const seam = Symbol.for("reenact.hooks/1");
  const seen = (process as unknown as Record<symbol, (name: string, value: unknown) => void>)[seam];
  expect(() => seen?.(undici.name, { Agent: {}, util: {} })).not.toThrow();
  undo();
  expect(seam in process).toBe(false);
});
