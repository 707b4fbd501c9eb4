import type { Delivery } from "@reenact/capture/recorder";
import { expect, test } from "vitest";
import { keyOf, type Waypoint } from "../tape/journal-tape.ts";
import { unreached } from "./unreached.ts";

const timer = (id: number): Waypoint => ({ k: "t", id, scope: -1 });
const answer = (id: number): Waypoint => ({ k: "h", id, scope: -1 });
const native: Waypoint = { k: "f", label: "TCPWRAP#1", scope: -1 };

/** What this run has asked for. */
function asked(
  ...owed: { event: Waypoint; referenced: boolean; dead?: boolean }[]
): (event: Waypoint) => Delivery | undefined {
  const all = new Map(
    owed.map(({ event, referenced, dead = false }) => [
      keyOf(event),
      { dead: () => dead, referenced: () => referenced } as Delivery,
    ]),
  );
  return (event) => all.get(keyOf(event));
}

const states = (...list: Parameters<typeof unreached>): string[] =>
  unreached(...list).map(({ event, state }) => `${keyOf(event)} ${state}`);

test("what was asked for and what was not are told apart; starts are no deliveries", () => {
  const rest = [{ k: "s", id: 1, scope: -1 } as const, answer(0), answer(1), timer(0)];
  const owed = asked({ event: answer(0), referenced: true }, { event: timer(0), referenced: false, dead: true });
  expect(states(rest, new Map(), owed)).toEqual(["h-1:0 owed", "h-1:1 never-asked", "t-1:0 never-asked"]);
});

test("an unreferenced interval that only a native handle let fire does not count, nor do its next firings", () => {
  const rest = [native, timer(3), timer(4)];
  expect(states(rest, new Map(), asked({ event: timer(3), referenced: false }))).toEqual([]);
  expect(states(rest, new Map(), asked({ event: timer(3), referenced: true }))).toHaveLength(2);
  expect(states(rest, new Map(), asked())).toHaveLength(2);
  expect(states([timer(3)], new Map(), asked({ event: timer(3), referenced: false }))).toEqual(["t-1:3 owed"]);
});

test("what a tool body was not asked for comes first", () => {
  const skipped = new Map([["c4:1.0", { k: "c", id: 1, part: 0, scope: 4 } as const]]);
  expect(states([answer(2)], skipped, asked())).toEqual(["c4:1.0 never-asked", "h-1:2 never-asked"]);
});

test("an operation that was never begun does not count; one that is owed does", () => {
  const read: Waypoint = { k: "o", id: 4, scope: -1 };
  expect(states([read, answer(0)], new Map([["o2:1", { k: "o", id: 1, scope: 2 }]]), asked())).toEqual([
    "h-1:0 never-asked",
  ]);
  expect(states([read], new Map(), asked({ event: read, referenced: true }))).toEqual(["o-1:4 owed"]);
});
