import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { FinishQueue } from "./finish-queue.ts";
import type { Step } from "./step.ts";

const step = (name: string, bytes: number): Step =>
  ({
    name,
    exchange: null,
    call: { args: "x".repeat(bytes), result: null, error: null, yields: null },
  }) as unknown as Step;

/** A span of "said" says by itself that its step has settled. */
const says = (_: number, name: string): boolean => name.startsWith("said");

function queue(): { queue: FinishQueue; seen: string[] } {
  const seen: string[] = [];
  return {
    seen,
    queue: new FinishQueue({ finish: ({ name }) => says(seen.push(`span ${name}`), name), inTurnBytes: 100 }),
  };
}

test("a small step is finished at once, and told behind its span: killed between the two, nothing of it is lost", () => {
  const { queue: q, seen } = queue();
  q.add(step("a", 100), () => seen.push("told a"));
  expect(seen).toEqual(["span a", "told a"]);
});

test("a small step whose span says that it has settled is told by that; a large one is told before its span", () => {
  const { queue: q, seen } = queue();
  q.add(step("said a", 100), () => seen.push("told a"));
  q.add(step("said b", 101), () => seen.push("told b"));
  q.flush();
  expect(seen).toEqual(["span said a", "told b", "span said b"]);
});

test("a large step is told at once and finished in a turn of its own, well within 250 ms", async () => {
  const { queue: q, seen } = queue();
  for (const name of ["a", "b"]) q.add(step(name, 101), () => seen.push(`told ${name}`));
  expect(seen).toEqual(["told a", "told b"]);
  q.add(step("c", 1));
  await sleep(100);
  expect(seen).toEqual(["told a", "told b", "span c", "span a", "span b"]);
});

test("at the end what is left is finished at once, and only once", async () => {
  const { queue: q, seen } = queue();
  const large = step("a", 101);
  q.add(large);
  q.add(large);
  q.flush();
  await sleep(20);
  expect(seen).toEqual(["span a"]);
});

test("a step that cannot be finished stops no other, and is told all the same", () => {
  const seen: string[] = [];
  const q = new FinishQueue({
    inTurnBytes: 100,
    finish({ name }) {
      if (name === "bad") throw new Error("broken");
      seen.push(name);
      return false;
    },
  });
  q.add(step("bad", 1), () => seen.push("told bad"));
  q.add(step("good", 1));
  expect(seen).toEqual(["told bad", "good"]);
});

test("a step whose texts are scanned elsewhere waits for that, and holds up no other; at the end nobody waits", async () => {
  const seen: string[] = [];
  const waits = new Map<string, () => void>();
  const q = new FinishQueue({
    inTurnBytes: 100,
    finish: ({ name }) => says(seen.push(name), name),
    prepare: ({ name }) => (name === "free" ? null : new Promise((resolve) => waits.set(name, resolve))),
  });
  for (const name of ["first", "second", "free", "last"]) q.add(step(name, 101));
  await sleep(20);
  expect(seen).toEqual(["free"]);
  waits.get("second")?.();
  await sleep(20);
  expect(seen).toEqual(["free", "second"]);
  q.flush();
  waits.get("first")?.();
  await sleep(20);
  expect(seen).toEqual(["free", "second", "first", "last"]);
});
