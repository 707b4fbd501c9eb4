import { PassThrough } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import type { RunRow } from "@reenact/view";
import { watchList } from "./watch-list.ts";

const row = (run: string, over: Partial<RunRow> = {}): RunRow => ({
  run: run.repeat(32),
  name: "desk",
  status: "ok",
  complete: true,
  class: "short",
  steps: 1,
  llm: 1,
  tools: 0,
  started: "2026-11-20T16:00:00.000Z",
  durationMs: 5,
  tokens: 0,
  cost: null,
  error: null,
  replayOf: null,
  replay: null,
  state: "sealed",
  ...over,
});

/** What is written for each of the lists, one look after another; then it is stopped. */
async function written(
  lists: readonly (readonly RunRow[] | Error)[],
  options: { tty?: { columns: number; rows: number }; json?: boolean },
): Promise<string[]> {
  const out = Object.assign(new PassThrough(), { isTTY: options.tty !== undefined, ...options.tty });
  const stop = new AbortController();
  const seen: string[] = [];
  let n = 0;
  const take = () => void seen.push(((out.read() as Buffer | null) ?? "").toString());
  const look = async (): Promise<readonly RunRow[]> => {
    if (n > 0) take();
    const list = lists[n++];
    if (list === undefined) {
      stop.abort();
      return [];
    }
    if (list instanceof Error) throw list;
    return list;
  };
  const json = options.json === true;
  await watchList({ look, every: 1, json, quiet: true, signal: stop.signal }, out as unknown as NodeJS.WriteStream);
  await pause(1);
  return seen.slice(0, lists.length);
}

test("on a terminal the list is drawn in its place, and only when it has changed", async () => {
  const open = row("b", { state: "open", durationMs: null });
  const tty = { columns: 60, rows: 4 };
  const lists = [[], [row("a")], [row("a")], [open, row("a")], [row("c"), open, row("a")]];
  const [none, one, same, two, three] = await written(lists, { tty });
  expect(none).toBe("\r\u001B[Jno runs yet\n");
  expect(one).toMatch(/^\u001B\[1A\r\u001B\[J[^\n]*aaaaaa {2}2026-11-20 16:00:00[^\n]*\n$/);
  expect(same).toBe("");
  expect(two).toMatch(/^\u001B\[1A\r\u001B\[J[^\n]*bbbbbb[^\n]*\n[^\n]*aaaaaa[^\n]*\n$/);
  // as many as the terminal has room for, none of them wrapped
  expect(three).toMatch(/^\u001B\[2A\r\u001B\[J[^\n]*cccccc[^\n]*\n[^\n]*bbbbbb[^\n]*\n$/);
  for (const line of (three ?? "").split("\n")) {
    // oxlint-disable-next-line no-control-regex
    expect(line.replaceAll(/\u001B\[[0-9;]*[A-Za-z]|\r/g, "").length).toBeLessThanOrEqual(60);
  }
});

test("elsewhere each run is a line when it comes and when it changes, oldest first", async () => {
  const open = row("b", { state: "open", durationMs: null });
  const lists = [[row("a")], [open, row("a")], [open, row("a")], [row("b", { status: "failed" }), row("a")]];
  const [one, two, same, sealed] = await written(lists, {});
  expect(one).toMatch(/^✓ {2}aaaaaa [^\n]*\n$/);
  expect(two).toMatch(/^… {2}bbbbbb [^\n]* still open\n$/);
  expect(same).toBe("");
  expect(sealed).toMatch(/^✗ {2}bbbbbb [^\n]*\n$/);
  const json = await written([[row("b"), row("a")], [row("b")]], { json: true });
  expect(
    json[0]
      ?.trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { run: RunRow }).run.run[0]),
  ).toEqual(["a", "b"]);
  expect(json[1]).toBe("");
});

test("a list that cannot be had at first ends it; later it is looked for again", async () => {
  await expect(written([new Error("away")], {})).rejects.toThrow("away");
  const [, away, back] = await written([[row("a")], new Error("away"), [row("b"), row("a")]], {});
  expect([away, back]).toEqual(["", expect.stringMatching(/^✓ {2}bbbbbb/)]);
});
