import { expect, test } from "vitest";
import type { Tape, RecordedLeak } from "../tape/tape.ts";
import { stopPoints } from "./unrecorded-tools.ts";

/** Two answers that ask for a tool, settled at 10 and 30; models are called at 5, 20 and 40. */
function stopsOf(...leaks: Partial<RecordedLeak>[]): string[][] {
  const llm = (start: number, settle: number) => ({
    kind: "LLM",
    record: { op: "llm", n: start, path: "", order: { start, settle } },
  });
  const ordered = [llm(5, 10), llm(20, 30), llm(40, 50)];
  const root = {
    tools: { unrecorded: 2 },
    leaks: leaks.map((leak) => ({ kind: "write", target: "/w/notes.txt", count: 1, scope: -1, stack: "", ...leak })),
  };
  const asks = (step: unknown): string[] => (step === ordered[2] ? [] : ["add"]);
  return stopPoints({ root, ordered } as unknown as Tape, asks).map(({ effects }) => effects);
}

test("a file that is first written after an answer that asks for a tool, and a socket or child there, stop the replay", () => {
  expect(stopsOf({ at: 12 })).toEqual([["write /w/notes.txt"]]);
  expect(stopsOf({ at: 12, more: [33] })).toEqual([["write /w/notes.txt"]]);
  expect(stopsOf({ at: 31, kind: "socket", target: "db:5432" })).toEqual([["socket db:5432"]]);
  expect(stopsOf({ at: 12, kind: "child", target: "git log" })).toEqual([["child git log"]]);
});

test("a file that the program writes at other times, too, is not the tool's", () => {
  expect(stopsOf({ at: 3, more: [12] })).toEqual([]);
  expect(stopsOf({ at: 12, more: [33, 60] })).toEqual([]);
  expect(stopsOf({ at: 12, more: [25] })).toEqual([]);
});

test("a log is no effect of a tool, nor is its folder", () => {
  for (const target of ["/w/agent.log", "/w/agent.log.1", "/w/logs/today.jsonl", "/var/log/agent"])
    expect(stopsOf({ at: 12, target })).toEqual([]);
  expect(stopsOf({ at: 12, by: "sonic-boom" })).toEqual([]);
  expect(stopsOf({ at: 11, target: "/w/trace" }, { at: 12, more: [60], target: "/w/trace/a.txt" })).toEqual([]);
  for (const target of ["/w/catalog", "/w/blog/post.md", "/w/logo.png"])
    expect(stopsOf({ at: 12, target })).toEqual([[`write ${target}`]]);
});

test("what a timer does that was set before the answer is not the tool's", () => {
  expect(stopsOf({ at: 12, since: 2 })).toEqual([]);
  expect(stopsOf({ at: 12, since: 11 })).toHaveLength(1);
  expect(stopsOf({ at: 12, since: 2, kind: "socket", target: "logs:514" })).toEqual([]);
});

test("a thread runs again, under guard", () => {
  expect(stopsOf({ at: 12, kind: "worker", target: "thread" })).toEqual([]);
});
