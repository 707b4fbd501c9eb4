import { expect, test } from "vitest";
import { watchAgentGenerator } from "./agent-generator.ts";
import { type Frame, here } from "../run/context.ts";

const frame = { run: { over: false }, path: "", scope: -1, pendingToolCalls: null, outer: null } as unknown as Frame;

function watched(make: () => Generator | AsyncGenerator) {
  const ends: unknown[] = [];
  const told = {
    returned: (value: unknown) => void ends.push(["returned", value]),
    threw: (error: unknown) => void ends.push(["threw", (error as Error).message]),
  };
  const inner = watchAgentGenerator(frame, make(), told, () => null);
  return { inner, ends };
}

async function* body(fails: boolean): AsyncGenerator<unknown, string, number> {
  const sent = yield here() === frame;
  await null;
  yield [sent, here() === frame];
  if (fails) throw new Error("broken");
  return "end";
}

test("the body is in its frame each time, and hears what it is sent", async () => {
  const { inner, ends } = watched(() => body(false));
  const { next } = inner as AsyncGenerator<unknown, unknown, number>;
  const ask = (value?: number) => Reflect.apply(next, inner, [value]) as Promise<unknown>;
  expect(await ask()).toEqual({ done: false, value: true });
  expect(ends).toEqual([]);
  expect(await ask(7)).toEqual({ done: false, value: [7, true] });
  expect(await ask()).toEqual({ done: true, value: "end" });
  expect(ends).toEqual([["returned", "end"]]);
});

test("an error ends it, and so does who gives it up, once", async () => {
  const broken = watched(() => body(true));
  const readAll = async (): Promise<void> => {
    for await (const _ of broken.inner as AsyncGenerator);
  };
  await expect(readAll()).rejects.toThrow("broken");
  expect(broken.ends).toEqual([["threw", "broken"]]);
  const left = watched(() => body(false));
  for await (const _ of left.inner as AsyncGenerator) break;
  expect(left.ends).toEqual([["returned", undefined]]);
  const plain = watched(function* () {
    yield here() === frame;
    return 2;
  });
  expect([...(plain.inner as Generator)]).toEqual([true]);
  expect(plain.ends).toEqual([["returned", 2]]);
});

test("an error thrown into it is the body's, which may go on", async () => {
  const first = watched(async function* () {
    try {
      yield 1;
    } catch (error) {
      yield (error as Error).message;
    }
  });
  const generator = first.inner as AsyncGenerator;
  await generator.next();
  expect(await generator.throw(new Error("into"))).toEqual({ done: false, value: "into" });
  expect(first.ends).toEqual([]);
  expect(await generator.next()).toEqual({ done: true, value: undefined });
  expect(first.ends).toEqual([["returned", undefined]]);
  const left: string[] = [];
  const second = watched(function* () {
    try {
      yield 1;
    } finally {
      left.push("left");
    }
  });
  const plain = second.inner as Generator;
  plain.next();
  expect(() => plain.throw(new Error("into"))).toThrow("into");
  expect([left, second.ends]).toEqual([["left"], [["threw", "into"]]]);
});
