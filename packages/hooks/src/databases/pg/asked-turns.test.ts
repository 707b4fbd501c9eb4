import { expect, test } from "vitest";
import { AskedTurns, type Turn } from "./asked-turns.ts";

interface Item {
  readonly name: string;
}

function queue() {
  const turns = new AskedTurns<Item>();
  const waiting: Item[] = [];
  const ran: string[] = [];
  const ask = (name: string, inside: () => void): void => {
    const turn: Turn<Item> = (run, item) => (ran.push(`${name} takes ${item.name}`), run());
    turns.ask(turn, inside, () => waiting.at(-1));
  };
  const take = (item: Item | undefined): unknown => item && turns.take(item, () => ran.push(`runs ${item.name}`));
  return { turns, waiting, ran, ask, take };
}

test("an item has the turn of the call that asked for it, taken at once or later", () => {
  const { waiting, ran, ask, take } = queue();
  ask("first", () => take({ name: "a" }));
  ask("second", () => waiting.push({ name: "b" }));
  ask("third", () => waiting.push({ name: "c" }));
  take(waiting.shift());
  take(waiting.shift());
  expect(ran).toEqual(["first takes a", "runs a", "second takes b", "runs b", "third takes c", "runs c"]);
});

test("a call that takes an earlier item leaves that item its own turn", () => {
  const { waiting, ran, ask, take } = queue();
  ask("first", () => waiting.push({ name: "a" }));
  ask("second", () => {
    waiting.push({ name: "b" });
    take(waiting.shift());
  });
  take(waiting.shift());
  expect(ran).toEqual(["first takes a", "runs a", "second takes b", "runs b"]);
});

test("a call that throws leaves what waits as it is", () => {
  const { waiting, ran, ask, take } = queue();
  ask("first", () => waiting.push({ name: "a" }));
  const wrong = (): void => {
    throw new TypeError("no statement");
  };
  expect(() => ask("second", wrong)).toThrow("no statement");
  take(waiting.shift());
  take({ name: "the library's own" });
  expect(ran).toEqual(["first takes a", "runs a", "runs the library's own"]);
});

test("an item that the library makes, and that no queue holds, can be told of", () => {
  const { turns, ran, ask, take } = queue();
  const item = { name: "a" };
  ask("first", () => turns.made(item));
  take(item);
  expect(ran).toEqual(["first takes a", "runs a"]);
});
